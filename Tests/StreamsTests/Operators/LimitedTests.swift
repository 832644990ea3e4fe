import MoonlightTestSupport
import Streams
import Testing

@Suite("limited(by:)")
struct LimitedTests {
    typealias Limiter = RateLimiter<VirtualTimeScheduler>

    let time = VirtualTimeScheduler()
    let begun = Log<Int>()

    func limiter(_ count: Int, per interval: TimeStride = .seconds(1)) -> Limiter {
        RateLimiter(count: count, per: interval, on: time)
    }

    /// A publisher that notes its number when it is subscribed to, and goes on for good.
    func numbered(_ number: Int) -> some Publisher<Int, Oops> & Sendable {
        Deferred { [begun] in
            begun.append(number)
            return Empty<Int, Oops>(completeImmediately: false)
        }
    }

    /// Subscribes to so many numbered ones.
    func subscribe(_ numbers: ClosedRange<Int>, by limiter: Limiter) -> [Recorder<Int, Oops>] {
        numbers.map { number in
            let recorder = Recorder<Int, Oops>()
            numbered(number).limited(by: limiter).subscribe(recorder)
            return recorder
        }
    }

    // MARK: Turns

    @Test("as many begin at once as may, and the next when the interval is over, not a nanosecond sooner")
    func exact() {
        _ = subscribe(1...5, by: limiter(2))
        #expect(begun.items == [1, 2])
        time.advance(by: Duration.nanoseconds(999_999_999))
        #expect(begun.items == [1, 2])
        time.advance(by: Duration.nanoseconds(1))
        #expect(begun.items == [1, 2, 3, 4])
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1, 2, 3, 4, 5])
        #expect(time.pending == 0)
    }

    @Test("the window slides: each that has begun leaves room an interval later")
    func sliding() {
        let limiter = limiter(2)
        _ = subscribe(1...1, by: limiter)
        time.advance(by: Duration.milliseconds(600))
        _ = subscribe(2...4, by: limiter)
        time.advance(by: Duration.milliseconds(400))
        #expect(begun.items == [1, 2, 3])
        #expect(limiter.waiting == 1)
        time.advance(by: Duration.milliseconds(599))
        #expect(begun.items == [1, 2, 3])
        time.advance(by: Duration.milliseconds(1))
        #expect(begun.items == [1, 2, 3, 4])
        #expect(limiter.waiting == 0)
    }

    @Test("subscriptions begin when a plain list says, whenever they come and whichever are cancelled", arguments: 1...40)
    func model(seed: UInt64) {
        var dice = Dice(seed: seed)
        let (count, interval) = (1 + dice.roll(4), 1 + dice.roll(9))
        let (time, beginnings) = (time, Log<[Int]>())
        let limiter = limiter(count, per: .nanoseconds(interval))
        var (now, expected): (Int, [[Int]]) = (0, [])
        for number in 1...60 {
            let step = dice.roll(5)
            now += step
            time.advance(by: .nanoseconds(step))
            let recorder = Recorder<Int, Oops>()
            Deferred {
                beginnings.append([number, time.now.offset.nanoseconds])
                return Empty<Int, Oops>()
            }.limited(by: limiter).subscribe(recorder)
            // The one `count` before it has begun an interval ago, and nobody before it waits.
            let before = expected.count >= count ? expected[expected.count - count][1] + interval : 0
            let start = max(now, before, expected.last?[1] ?? 0)
            if start > now, dice.roll(4) == 0 { recorder.cancel() } else { expected.append([number, start]) }
        }
        time.run()
        #expect(beginnings.items == expected)
    }

    @Test("one that comes at the moment at which another's turn is due waits behind that one")
    func noOvertaking() {
        let (time, limiter) = (time, limiter(1))
        let late = Recorder<Int, Oops>()
        let third = numbered(3)
        time.schedule(after: .init(offset: .seconds(1))) { third.limited(by: limiter).subscribe(late) }
        _ = subscribe(1...2, by: limiter)
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1, 2])
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1, 2, 3])
    }

    @Test("streams of different kinds share a limit, and each attempt of a retry takes a turn")
    func sharing() {
        let limiter = limiter(1)
        let (numbers, texts) = (Recorder<Int, Oops>(), Recorder<String, Never>())
        Fail<Int, Oops>(error: .first).limited(by: limiter).retry(1).subscribe(numbers)
        Just("text").limited(by: limiter).subscribe(texts)
        #expect(numbers.failure == nil)
        #expect(texts.values == [])
        time.advance(by: Duration.seconds(1))
        #expect(numbers.failure == .first)
        #expect(texts.values == [])
        time.advance(by: Duration.seconds(1))
        #expect(texts.values == ["text"])
        #expect(texts.isFinished)
    }

    // MARK: Passing on

    @Test("what is asked for in line is asked of the upstream at its turn; values, the end and cancellation pass")
    func passing() {
        let limiter = limiter(1)
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorders = (0..<2).map { _ in Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)], later: [.max(1)])) }
        first.limited(by: limiter).subscribe(recorders[0])
        second.limited(by: limiter).subscribe(recorders[1])
        #expect(first.requests == [.max(2)])
        #expect(second.subscriptions == 0)
        #expect(recorders[1].isSubscribed)
        recorders[1].requestLater()
        time.advance(by: Duration.seconds(1))
        #expect(second.requests == [.max(3)])
        first.send(1)
        first.send(completion: .failure(.second))
        second.send(2)
        recorders[1].cancel()
        second.send(3)
        #expect(recorders[0].values == [1])
        #expect(recorders[0].failure == .second)
        #expect(recorders[1].values == [2])
        #expect(recorders[1].completions == [])
        #expect(second.cancellations == 1)
        #expect(recorders.allSatisfy { $0.violations == [] })
    }

    // MARK: Leaving

    @Test("one that is cancelled in line takes no turn, and its place is the next one's")
    func cancelled() {
        let limiter = limiter(1)
        let recorders = subscribe(1...4, by: limiter)
        recorders[1].cancel()
        #expect(limiter.waiting == 2)
        recorders[1].cancel()
        time.advance(by: Duration.seconds(1))
        recorders[3].cancel()
        time.advance(by: Duration.seconds(5))
        #expect(begun.items == [1, 3])
        #expect(limiter.waiting == 0)
    }

    @Test("nobody waits, so there is no timer: after the last has begun, and after the last has left")
    func timer() {
        let limiter = limiter(1)
        let recorders = subscribe(1...3, by: limiter)
        #expect(time.pending == 1)
        for recorder in recorders.dropFirst() { recorder.cancel() }
        #expect(time.pending == 0)
        _ = subscribe(4...4, by: limiter)
        #expect(time.pending == 1)
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1, 4])
        #expect(time.pending == 0)
    }

    @Test("one that cancels as soon as it has its subscription takes no turn")
    func cancelledAtOnce() {
        let limiter = limiter(1)
        numbered(1).limited(by: limiter).subscribe(AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        _ = subscribe(2...2, by: limiter)
        #expect(begun.items == [2])
        #expect(limiter.waiting == 0)
    }

    @Test("one that cancels while the limiter looks at the time leaves the line again")
    func cancelledWhileArriving() {
        let clock = ObservedTime(time)
        let limiter = RateLimiter(count: 1, per: .seconds(1), on: clock)
        numbered(1).limited(by: limiter).subscribe(Recorder<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        clock.onLook.withLock { $0 = { recorder.cancel() } }
        numbered(2).limited(by: limiter).subscribe(recorder)
        clock.onLook.withLock { $0 = nil }
        #expect(limiter.waiting == 0)
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1])
    }

    @Test("a hundred thousand that leave a line that does not move are forgotten")
    func forgotten() {
        let limiter = limiter(1, per: .nanoseconds(.max))
        weak var token: Token?
        _ = subscribe(1...2, by: limiter)
        for number in 0..<100_000 {
            let captured = Token()
            if number == 50_000 { token = captured }
            let upstream = Deferred { captured.pass(Empty<Int, Oops>()) }
            let recorder = Recorder<Int, Oops>()
            upstream.limited(by: limiter).subscribe(recorder)
            recorder.cancel()
        }
        #expect(limiter.waiting == 1)
        #expect(token == nil)
    }

    // MARK: Refusal

    @Test("one for which too many wait fails at once, with the limiter's numbers")
    func refused() {
        let limiter = limiter(1)
        let recorders = (1...4).map { _ in Recorder<Int, RateLimitError<TimeStride>>() }
        for recorder in recorders { Just(1).limited(by: limiter, waiting: 2).subscribe(recorder) }
        #expect(recorders[0].isFinished)
        #expect(recorders[1].completions == [])
        #expect(recorders[2].completions == [])
        #expect(recorders[3].failure == RateLimitError(count: 1, interval: .seconds(1), waiting: 2))
        #expect(
            recorders[3].failure?.description
                == "the rate limit is 1 per 1.0 seconds, and 2 subscriptions, the maximum, are already waiting")
        #expect(recorders.allSatisfy { $0.violations == [] && $0.isSubscribed })
        time.advance(by: Duration.seconds(2))
        #expect(recorders[..<3].allSatisfy { $0.isFinished })
        #expect(recorders[3].values == [])
    }

    @Test("a place in line that one has left is another's")
    func freed() {
        let limiter = limiter(1)
        let recorders = subscribe(1...2, by: limiter)
        let late = Recorder<Int, Oops>()
        numbered(3).limited(by: limiter, waiting: 1) { _ in .second }.subscribe(late)
        #expect(late.failure == .second)
        recorders[1].cancel()
        let later = Recorder<Int, Oops>()
        numbered(4).limited(by: limiter, waiting: 1) { _ in .second }.subscribe(later)
        time.advance(by: Duration.seconds(1))
        #expect(later.failure == nil)
        #expect(begun.items == [1, 4])
    }

    @Test("where none may wait, a subscription begins at once or fails; what it would have begun is let go of")
    func noWaiting() {
        let limiter = limiter(1)
        let recorder = Recorder<Int, Oops>()
        weak var token: Token?
        _ = subscribe(1...1, by: limiter)
        do {
            let captured = Token()
            token = captured
            Deferred { captured.pass(Empty<Int, Oops>()) }.limited(by: limiter, waiting: 0) { _ in .first }.subscribe(recorder)
        }
        #expect(recorder.failure == .first)
        #expect(token == nil)
        #expect(time.pending == 0)
        time.advance(by: Duration.seconds(1))
        let next = Recorder<Int, Oops>()
        numbered(2).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(next)
        #expect(begun.items == [1, 2])
        #expect(next.failure == nil)
    }
}

import MoonlightTestSupport
import Streams
import Testing

@Suite("limited(by:)")
struct LimitedTests {
    typealias Limiter = RateLimiter<VirtualTimeScheduler>

    let time = VirtualTimeScheduler()
    let begun = Log<Int>()

    private func limiter(_ count: Int, per interval: TimeStride = .seconds(1)) -> Limiter {
        RateLimiter(count: count, per: interval, on: time)
    }

    /// A publisher that notes its number when it is subscribed to, and goes on for good.
    private func numbered(_ number: Int) -> some Publisher<Int, Oops> & Sendable {
        Deferred { [begun] in
            begun.append(number)
            return Empty<Int, Oops>(completeImmediately: false)
        }
    }

    /// Subscribes to so many numbered ones.
    private func subscribe(_ numbers: ClosedRange<Int>, by limiter: Limiter) -> [Recorder<Int, Oops>] {
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
        #expect(begun.items == [1, 2, 3, 4, 5] && time.pending == 0)
    }

    @Test("the window slides: each that has begun leaves room an interval later")
    func sliding() {
        let limiter = limiter(2)
        _ = subscribe(1...1, by: limiter)
        time.advance(by: Duration.milliseconds(600))
        _ = subscribe(2...4, by: limiter)
        time.advance(by: Duration.milliseconds(400))
        #expect(begun.items == [1, 2, 3] && limiter.waiting == 1)
        time.advance(by: Duration.milliseconds(599))
        #expect(begun.items == [1, 2, 3])
        time.advance(by: Duration.milliseconds(1))
        #expect(begun.items == [1, 2, 3, 4] && limiter.waiting == 0)
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
        #expect(numbers.failure == nil && texts.values == [])
        time.advance(by: Duration.seconds(1))
        #expect(numbers.failure == .first && texts.values == [])
        time.advance(by: Duration.seconds(1))
        #expect(texts.values == ["text"] && texts.isFinished)
    }

    // MARK: Passing on

    @Test("what is asked for in line is asked of the upstream at its turn; values, the end and cancellation pass")
    func passing() {
        let limiter = limiter(1)
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorders = (0..<2).map { _ in Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(2)], later: [.max(1)])) }
        first.limited(by: limiter).subscribe(recorders[0])
        second.limited(by: limiter).subscribe(recorders[1])
        #expect(first.requests == [.max(2)] && second.subscriptions == 0 && recorders[1].isSubscribed)
        recorders[1].requestLater()
        time.advance(by: Duration.seconds(1))
        #expect(second.requests == [.max(3)])
        first.send(1)
        first.send(completion: .failure(.second))
        second.send(2)
        recorders[1].cancel()
        second.send(3)
        #expect(recorders[0].values == [1] && recorders[0].failure == .second)
        #expect(recorders[1].values == [2] && recorders[1].completions == [] && second.cancellations == 1)
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
        #expect(begun.items == [1, 3] && limiter.waiting == 0)
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
        #expect(begun.items == [1, 4] && time.pending == 0)
    }

    @Test("one that cancels as soon as it has its subscription takes no turn")
    func cancelledAtOnce() {
        let limiter = limiter(1)
        numbered(1).limited(by: limiter).subscribe(AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        _ = subscribe(2...2, by: limiter)
        #expect(begun.items == [2] && limiter.waiting == 0)
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
        #expect(limiter.waiting == 1 && token == nil)
    }

    @Test("a limiter is let go of with the last subscription that waits for it")
    func released() {
        weak var limiter: Limiter?
        var recorders: [Recorder<Int, Oops>] = []
        do {
            let made = self.limiter(1)
            recorders = subscribe(1...3, by: made)
            limiter = made
        }
        time.advance(by: Duration.seconds(1))
        #expect(begun.items == [1, 2] && limiter != nil)
        for recorder in recorders { recorder.cancel() }
        recorders = []
        #expect(limiter == nil)
    }

    // MARK: Refusal

    @Test("one for which too many wait fails at once, with the limiter's numbers")
    func refused() {
        let limiter = limiter(1)
        let recorders = (1...4).map { _ in Recorder<Int, RateLimitError<TimeStride>>() }
        for recorder in recorders { Just(1).limited(by: limiter, waiting: 2).subscribe(recorder) }
        #expect(recorders[0].isFinished && recorders[1].completions == [] && recorders[2].completions == [])
        #expect(recorders[3].failure == RateLimitError(count: 1, interval: .seconds(1), waiting: 2))
        #expect(
            recorders[3].failure?.description
                == "the rate limit is 1 per 1.0 seconds, and the 2 that may wait for it do")
        #expect(recorders.allSatisfy { $0.violations == [] && $0.isSubscribed })
        time.advance(by: Duration.seconds(2))
        #expect(recorders[..<3].allSatisfy { $0.isFinished } && recorders[3].values == [])
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
        #expect(later.failure == nil && begun.items == [1, 4])
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
        #expect(recorder.failure == .first && token == nil && time.pending == 0)
        time.advance(by: Duration.seconds(1))
        let next = Recorder<Int, Oops>()
        numbered(2).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(next)
        #expect(begun.items == [1, 2] && next.failure == nil)
    }

    // MARK: Unusual spans

    @Test("an interval of no time, or less, limits nothing", arguments: [0, -1, Int.min])
    func noInterval(nanoseconds: Int) {
        _ = subscribe(1...100, by: limiter(1, per: .nanoseconds(nanoseconds)))
        #expect(begun.items == Array(1...100) && time.pending == 0)
    }

    @Test("with an interval too long to be counted no more begin than may at first")
    func endlessInterval() {
        let limiter = limiter(2, per: .seconds(Int.max))
        _ = subscribe(1...3, by: limiter)
        time.advance(by: TimeStride.nanoseconds(.max))
        #expect(begun.items == [1, 2] && limiter.waiting == 1 && time.pending == 0)
    }

    @Test("where time stands still every interval is over at once")
    func immediate() {
        let limiter = RateLimiter(count: 1, per: .seconds(1), on: ImmediateScheduler.shared)
        let recorder = Recorder<Int, Oops>()
        for number in 1...3 { numbered(number).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(recorder) }
        #expect(begun.items == [1, 2, 3])
    }

    // MARK: Depth

    @Test("a hundred thousand in line begin in order, and need no stack")
    func longLine() {
        let limiter = limiter(100_000, per: .nanoseconds(1))
        _ = subscribe(1...200_000, by: limiter)
        #expect(begun.items.count == 100_000 && limiter.waiting == 100_000)
        time.advance(by: Duration.nanoseconds(1))
        #expect(begun.items == Array(1...200_000))
    }

    @Test(
        "a subscriber that subscribes again from inside its completion needs no stack: begun at once, in line, or refused",
        arguments: [(1_000_000, nil), (1, nil), (1, 0)] as [(Int, Int?)])
    func again(count: Int, waiting: Int?) {
        let limiter = limiter(count, per: .nanoseconds(1))
        let rounds = Rounds(100_000) { rounds in
            let upstream = Empty<Int, Oops>()
            if let waiting {
                upstream.limited(by: limiter, waiting: waiting) { _ in .first }.subscribe(rounds)
            } else {
                upstream.limited(by: limiter).subscribe(rounds)
            }
        }
        rounds.next()
        time.run()
        #expect(rounds.count == 100_000)
    }

    @Test("a chain of a hundred thousand limited streams needs no more stack than a short one")
    func longChain() {
        let recorder = Recorder<Int, Oops>()
        Worker(stackSize: 512 * 1024) { [limiter = limiter(1_000_000)] in
            var chain = Just(1).setFailureType(to: Oops.self).eraseToAnyPublisher()
            for _ in 0..<100_000 { chain = chain.limited(by: limiter).eraseToAnyPublisher() }
            chain.subscribe(recorder)
        }.join()
        #expect(recorder.values == [1] && recorder.isFinished && recorder.violations == [])
    }

    // MARK: Threads

    @Test("of those that come by several threads as many begin as may, and each of the others later")
    func threads() {
        let (limiter, time, begun) = (limiter(100), time, begun)
        onThreads(4) { thread in
            for number in 0..<500 {
                let recorder = Recorder<Int, Oops>()
                Deferred {
                    begun.append(time.now.offset.nanoseconds / 1_000_000_000)
                    return Empty<Int, Oops>(completeImmediately: false)
                }.limited(by: limiter).subscribe(recorder)
                if number % 5 == 4 { recorder.cancel() }
            }
        }
        #expect(begun.items == Array(repeating: 0, count: 100))
        time.run()
        #expect(limiter.waiting == 0)
        let bySecond = Dictionary(grouping: begun.items) { $0 }.mapValues(\.count)
        #expect(begun.items == begun.items.sorted() && bySecond.values.allSatisfy { $0 <= 100 })
        // Those that were begun at once and then cancelled have had their turns.
        #expect((1600...1700).contains(begun.items.count))
    }
}

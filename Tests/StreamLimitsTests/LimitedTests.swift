import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

@Suite("Operator `limited(by:)`")
struct LimitedTests {
    typealias Limiter = RateLimiter<VirtualTimeScheduler>

    let time = VirtualTimeScheduler()
    let begun = Log<Int>()

    func limiter(_ count: Int, per interval: TimeStride = .seconds(1)) -> Limiter {
        RateLimiter(count: count, per: interval, on: time)
    }

    /// A publisher that records its number when it is subscribed to, and never ends.
    func numbered(_ number: Int) -> some Publisher<Int, Oops> & Sendable {
        Deferred { [begun] in
            begun.append(number)
            return Empty<Int, Oops>(completeImmediately: false)
        }
    }

    /// Subscribes to publishers with a range of numbers.
    func subscribe(_ numbers: ClosedRange<Int>, by limiter: Limiter) -> [Recorder<Int, Oops>] {
        numbers.map { number in
            let recorder = Recorder<Int, Oops>()
            numbered(number).limited(by: limiter).subscribe(recorder)
            return recorder
        }
    }

    // MARK: Turns

    @Test("The allowed number of subscriptions begins at once, and the next exactly when the interval is over")
    func exact() {
        _ = subscribe(1...5, by: limiter(2))
        expectEqual(begun.items, [1, 2])
        time.advance(by: Duration.nanoseconds(999_999_999))
        expectEqual(begun.items, [1, 2])
        time.advance(by: Duration.nanoseconds(1))
        expectEqual(begun.items, [1, 2, 3, 4])
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1, 2, 3, 4, 5])
        expectEqual(time.pending, 0)
    }

    @Test("Each subscription counts for one interval after it has begun")
    func sliding() {
        let limiter = limiter(2)
        _ = subscribe(1...1, by: limiter)
        time.advance(by: Duration.milliseconds(600))
        _ = subscribe(2...4, by: limiter)
        time.advance(by: Duration.milliseconds(400))
        expectEqual(begun.items, [1, 2, 3])
        expectEqual(limiter.waiting, 1)
        time.advance(by: Duration.milliseconds(599))
        expectEqual(begun.items, [1, 2, 3])
        time.advance(by: Duration.milliseconds(1))
        expectEqual(begun.items, [1, 2, 3, 4])
        expectEqual(limiter.waiting, 0)
    }

    @Test(
        "Subscriptions begin at the same times as in a model, for any arrivals and cancellations",
        arguments: Budget.seeds(40, least: 10))
    func model(seed: Int) {
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
            // The one `count` before it began an interval ago, and no earlier one is waiting.
            let before = expected.count >= count ? expected[expected.count - count][1] + interval : 0
            let start = max(now, before, expected.last?[1] ?? 0)
            if start > now, dice.roll(4) == 0 { recorder.cancel() } else { expected.append([number, start]) }
        }
        time.run()
        expectEqual(beginnings.items, expected)
    }

    @Test("A subscription that arrives at the time of another's turn waits behind it")
    func noOvertaking() {
        let (time, limiter) = (time, limiter(1))
        let late = Recorder<Int, Oops>()
        let third = numbered(3)
        time.schedule(after: .init(offset: .seconds(1))) { third.limited(by: limiter).subscribe(late) }
        _ = subscribe(1...2, by: limiter)
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1, 2])
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1, 2, 3])
    }

    @Test("Streams of different types share a limit, and each attempt of a retry takes a turn")
    func sharing() {
        let limiter = limiter(1)
        let (numbers, texts) = (Recorder<Int, Oops>(), Recorder<String, Never>())
        Fail<Int, Oops>(error: .first).limited(by: limiter).retry(1).subscribe(numbers)
        Just("text").limited(by: limiter).subscribe(texts)
        expect(numbers.failure == nil)
        expectEqual(texts.values, [])
        time.advance(by: Duration.seconds(1))
        expectEqual(numbers.failure, .first)
        expectEqual(texts.values, [])
        time.advance(by: Duration.seconds(1))
        expectEqual(texts.values, ["text"])
        expect(texts.isFinished)
    }

    // MARK: Passing on

    @Test("Demand of a waiting subscription is requested at its turn; values, the end and cancellation are passed on")
    func passing() {
        let limiter = limiter(1)
        let (first, second) = (PassthroughSubject<Int, Oops>(), PassthroughSubject<Int, Oops>())
        let (requests, cancellations) = (Log<Subscribers.Demand>(), Log<Int>())
        let watched = second.handleEvents(
            receiveCancel: { cancellations.append(2) }, receiveRequest: { requests.append($0) })
        let recorders = (0..<2).map { _ in Recorder<Int, Oops>(.max(2)) }
        first.limited(by: limiter).subscribe(recorders[0])
        watched.limited(by: limiter).subscribe(recorders[1])
        expect(recorders[1].isSubscribed)
        recorders[1].request(.max(1))
        expectEqual(requests.items, [])
        time.advance(by: Duration.seconds(1))
        expectEqual(requests.items, [.max(3)])
        first.send(1)
        first.send(completion: .failure(.second))
        second.send(2)
        recorders[1].cancel()
        second.send(3)
        expectEqual(recorders[0].values, [1])
        expectEqual(recorders[0].failure, .second)
        expectEqual(recorders[1].values, [2])
        expectEqual(recorders[1].completions, [])
        expectEqual(cancellations.items, [2])
        expect(recorders.allSatisfy { $0.violations == [] })
    }

    // MARK: Leaving

    @Test("A waiting subscription that is cancelled takes no turn, and leaves its place to the next")
    func cancelled() {
        let limiter = limiter(1)
        let recorders = subscribe(1...4, by: limiter)
        recorders[1].cancel()
        expectEqual(limiter.waiting, 2)
        recorders[1].cancel()
        time.advance(by: Duration.seconds(1))
        recorders[3].cancel()
        time.advance(by: Duration.seconds(5))
        expectEqual(begun.items, [1, 3])
        expectEqual(limiter.waiting, 0)
    }

    @Test("A limiter without waiting subscriptions has no timer")
    func timer() {
        let limiter = limiter(1)
        let recorders = subscribe(1...3, by: limiter)
        expectEqual(time.pending, 1)
        for recorder in recorders.dropFirst() { recorder.cancel() }
        expectEqual(time.pending, 0)
        _ = subscribe(4...4, by: limiter)
        expectEqual(time.pending, 1)
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1, 4])
        expectEqual(time.pending, 0)
    }

    @Test("A subscriber that cancels as soon as it has its subscription takes no turn")
    func cancelledAtOnce() {
        let limiter = limiter(1)
        numbered(1).limited(by: limiter).subscribe(AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        _ = subscribe(2...2, by: limiter)
        expectEqual(begun.items, [2])
        expectEqual(limiter.waiting, 0)
    }

    @Test("A subscriber that cancels while the limiter reads the time does not remain in the queue")
    func cancelledWhileArriving() {
        let clock = ObservedTime(time)
        let limiter = RateLimiter(count: 1, per: .seconds(1), on: clock)
        numbered(1).limited(by: limiter).subscribe(Recorder<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        clock.onLook.withLock { $0 = { recorder.cancel() } }
        numbered(2).limited(by: limiter).subscribe(recorder)
        clock.onLook.withLock { $0 = nil }
        expectEqual(limiter.waiting, 0)
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1])
    }

    @Test("Thousands of cancelled subscriptions are released while the queue does not advance")
    func forgotten() {
        let limiter = limiter(1, per: .nanoseconds(.max))
        weak var token: Token?
        let count = Budget.size(100_000, quick: 5_000)
        _ = subscribe(1...2, by: limiter)
        for number in 0..<count {
            let captured = Token()
            if number == count / 2 { token = captured }
            let upstream = Deferred { captured.pass(Empty<Int, Oops>()) }
            let recorder = Recorder<Int, Oops>()
            upstream.limited(by: limiter).subscribe(recorder)
            recorder.cancel()
        }
        expectEqual(limiter.waiting, 1)
        expect(token == nil)
    }

    // MARK: Refusal

    @Test("A subscription behind too many others fails at once, with the limiter's numbers")
    func refused() {
        let limiter = limiter(1)
        let recorders = (1...4).map { _ in Recorder<Int, RateLimitError<TimeStride>>() }
        for recorder in recorders { Just(1).limited(by: limiter, waiting: 2).subscribe(recorder) }
        expect(recorders[0].isFinished)
        expectEqual(recorders[1].completions, [])
        expectEqual(recorders[2].completions, [])
        expectEqual(recorders[3].failure, RateLimitError(count: 1, interval: .seconds(1), waiting: 2))
        expectEqual(
            recorders[3].failure?.description,
            "the rate limit is 1 per 1.0 seconds, and 2 subscriptions, the maximum, are already waiting")
        expect(recorders.allSatisfy { $0.violations == [] && $0.isSubscribed })
        time.advance(by: Duration.seconds(2))
        expect(recorders[..<3].allSatisfy { $0.isFinished })
        expectEqual(recorders[3].values, [])
    }

    @Test("A cancelled subscription frees its place in the queue")
    func freed() {
        let limiter = limiter(1)
        let recorders = subscribe(1...2, by: limiter)
        let late = Recorder<Int, Oops>()
        numbered(3).limited(by: limiter, waiting: 1) { _ in .second }.subscribe(late)
        expectEqual(late.failure, .second)
        recorders[1].cancel()
        let later = Recorder<Int, Oops>()
        numbered(4).limited(by: limiter, waiting: 1) { _ in .second }.subscribe(later)
        time.advance(by: Duration.seconds(1))
        expect(later.failure == nil)
        expectEqual(begun.items, [1, 4])
    }

    @Test("With `waiting: 0`, a subscription begins at once, or fails and releases its upstream")
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
        expectEqual(recorder.failure, .first)
        expect(token == nil)
        expectEqual(time.pending, 0)
        time.advance(by: Duration.seconds(1))
        let next = Recorder<Int, Oops>()
        numbered(2).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(next)
        expectEqual(begun.items, [1, 2])
        expect(next.failure == nil)
    }
}

import MoonlightTestSupport
import StreamLimits
import Streams
import Testing

// Unusual spans, release, depth and threads.
extension LimitedTests {
    // MARK: Unusual spans

    @Test("An interval of zero or less limits nothing", arguments: [0, -1, Int.min])
    func noInterval(nanoseconds: Int) {
        _ = subscribe(1...100, by: limiter(1, per: .nanoseconds(nanoseconds)))
        expectEqual(begun.items, Array(1...100))
        expectEqual(time.pending, 0)
    }

    @Test("With an interval too long to be represented, only the first `count` subscriptions begin")
    func endlessInterval() {
        let limiter = limiter(2, per: .seconds(Int.max))
        _ = subscribe(1...3, by: limiter)
        time.advance(by: TimeStride.nanoseconds(.max))
        expectEqual(begun.items, [1, 2])
        expectEqual(limiter.waiting, 1)
        expectEqual(time.pending, 0)
    }

    @Test("On an immediate scheduler, every subscription begins at once")
    func immediate() {
        let limiter = RateLimiter(count: 1, per: .seconds(1), on: ImmediateScheduler.shared)
        let recorder = Recorder<Int, Oops>()
        for number in 1...3 { numbered(number).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(recorder) }
        expectEqual(begun.items, [1, 2, 3])
    }

    // MARK: Release

    @Test("A limiter is released with the last subscription that waits for it")
    func released() {
        weak var limiter: Limiter?
        var recorders: [Recorder<Int, Oops>] = []
        do {
            let made = self.limiter(1)
            recorders = subscribe(1...3, by: made)
            limiter = made
        }
        time.advance(by: Duration.seconds(1))
        expectEqual(begun.items, [1, 2])
        expect(limiter != nil)
        for recorder in recorders { recorder.cancel() }
        recorders = []
        expect(limiter == nil)
    }

    // MARK: Depth

    @Test("Thousands of waiting subscriptions begin in order, and need no stack")
    func longLine() {
        let half = Budget.size(100_000, quick: 5_000)
        let limiter = limiter(half, per: .nanoseconds(1))
        _ = subscribe(1...2 * half, by: limiter)
        expectEqual(begun.items.count, half)
        expectEqual(limiter.waiting, half)
        Worker(stackSize: 512 << 10) { [time] in time.advance(by: Duration.nanoseconds(1)) }.join()
        expectEqual(begun.items, Array(1...2 * half))
    }

    // MARK: Threads

    @Test("Subscriptions of several threads begin at once up to the limit, and the others later")
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
        expectEqual(begun.items, Array(repeating: 0, count: 100))
        time.run()
        expectEqual(limiter.waiting, 0)
        let bySecond = Dictionary(grouping: begun.items) { $0 }.mapValues(\.count)
        expectEqual(begun.items, begun.items.sorted())
        expect(bySecond.values.allSatisfy { $0 <= 100 })
        // Those that began at once and were then cancelled have taken their turns.
        expect((1600...1700).contains(begun.items.count))
    }
}

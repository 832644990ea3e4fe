import MoonlightTestSupport
import Streams
import Testing

// Unusual spans, release, depth and threads.
extension LimitedTests {
    // MARK: Unusual spans

    @Test("an interval of no time, or less, limits nothing", arguments: [0, -1, Int.min])
    func noInterval(nanoseconds: Int) {
        _ = subscribe(1...100, by: limiter(1, per: .nanoseconds(nanoseconds)))
        #expect(begun.items == Array(1...100))
        #expect(time.pending == 0)
    }

    @Test("with an interval too long to be counted no more begin than may at first")
    func endlessInterval() {
        let limiter = limiter(2, per: .seconds(Int.max))
        _ = subscribe(1...3, by: limiter)
        time.advance(by: TimeStride.nanoseconds(.max))
        #expect(begun.items == [1, 2])
        #expect(limiter.waiting == 1)
        #expect(time.pending == 0)
    }

    @Test("where time stands still every interval is over at once")
    func immediate() {
        let limiter = RateLimiter(count: 1, per: .seconds(1), on: ImmediateScheduler.shared)
        let recorder = Recorder<Int, Oops>()
        for number in 1...3 { numbered(number).limited(by: limiter, waiting: 0) { _ in .first }.subscribe(recorder) }
        #expect(begun.items == [1, 2, 3])
    }

    // MARK: Release

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
        #expect(begun.items == [1, 2])
        #expect(limiter != nil)
        for recorder in recorders { recorder.cancel() }
        recorders = []
        #expect(limiter == nil)
    }

    // MARK: Depth

    @Test("a hundred thousand in line begin in order, and need no stack")
    func longLine() {
        let limiter = limiter(100_000, per: .nanoseconds(1))
        _ = subscribe(1...200_000, by: limiter)
        #expect(begun.items.count == 100_000)
        #expect(limiter.waiting == 100_000)
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
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
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
        #expect(begun.items == begun.items.sorted())
        #expect(bySecond.values.allSatisfy { $0 <= 100 })
        // Those that were begun at once and then cancelled have had their turns.
        #expect((1600...1700).contains(begun.items.count))
    }
}

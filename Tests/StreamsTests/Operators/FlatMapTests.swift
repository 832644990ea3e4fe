import MoonlightTestSupport
import Streams
import Testing

@Suite("Operator `flatMap`")
struct FlatMapTests {
    @Test("`flatMap` sends the values of all its publishers in the order in which they arrive")
    func interleaved() {
        let inner = (0..<3).map { _ in PassthroughSubject<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        OperatorCase.sequence([0, 1, 2]).flatMap { inner[$0] }.subscribe(recorder)
        inner[2].send(20)
        inner[0].send(0)
        inner[2].send(21)
        expectEqual(recorder.values, [20, 0, 21])
    }

    @Test("`flatMap` finishes when the upstream and all inner publishers have finished", arguments: [false, true])
    func finishes(upstreamFirst: Bool) {
        let outer = PassthroughSubject<Int, Oops>()
        let inner = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { _ in inner }.subscribe(recorder)
        outer.send(1)
        (upstreamFirst ? outer : inner).send(completion: .finished)
        expectEqual(recorder.completions, [])
        (upstreamFirst ? inner : outer).send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`flatMap` with a limit of one starts the next publisher when the one before has finished")
    func oneAtATime() {
        let inner = (0..<3).map { _ in PassthroughSubject<Int, Oops>() }
        let started = Log<Int>()
        let recorder = Recorder<Int, Oops>()
        OperatorCase.sequence([0, 1, 2]).flatMap(maxPublishers: .max(1)) { index in
            started.append(index)
            return inner[index]
        }.subscribe(recorder)
        expectEqual(started.items, [0])
        inner[0].send(1)
        inner[0].send(completion: .finished)
        expectEqual(started.items, [0, 1])
        inner[2].send(9)
        inner[1].send(completion: .finished)
        inner[2].send(2)
        expectEqual(recorder.values, [1, 2])
        inner[2].send(completion: .finished)
        expect(recorder.isFinished)
    }

    @Test("`flatMap` with a limit of `.none` requests nothing of its upstream")
    func noneAtATime() {
        let probe = Probe<Int, Oops>()
        probe.flatMap(maxPublishers: .none) { _ in Empty<Int, Oops>() }.subscribe(Recorder())
        expectEqual(probe.requests, [])
    }

    @Test(
        "`flatMap` passes single values on unchanged, also with erased types, and keeps them until they are requested",
        arguments: Appetite.all)
    func readyValues(appetite: Appetite) {
        for erased in [false, true] {
            let recorder = Recorder<Int, Never>(appetite)
            if erased {
                [1, 2, 3].publisher.flatMap { Just($0 * 2).eraseToAnyPublisher() }.subscribe(recorder)
            } else {
                [1, 2, 3].publisher.flatMap { Just($0 * 2) }.subscribe(recorder)
            }
            expectEqual(recorder.values, Array([2, 4, 6].prefix(appetite.served(of: 3, afterLater: 0))))
            recorder.requestLater()
            expectEqual(recorder.values, Array([2, 4, 6].prefix(appetite.served(of: 3))))
            recorder.request(.unlimited)
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test(
        "`flatMap` delivers all values of many ready publishers, each publisher's in order, for any demand and limit",
        arguments: Appetite.all)
    func demand(appetite: Appetite) {
        for limit in [Subscribers.Demand.max(1), .max(2), .unlimited] {
            let recorder = Recorder<Int, Oops>(appetite)
            OperatorCase.sequence([0, 1, 2, 3]).flatMap(maxPublishers: limit) { decade in
                OperatorCase.sequence((0..<decade).map { decade * 10 + $0 })
            }.subscribe(recorder)
            recorder.requestLater()
            expectEqual(recorder.values.count, appetite.served(of: 6), "\(appetite), \(limit)")
            expectEqual(recorder.violations, [])
            recorder.request(.unlimited)
            for decade in 1...3 {
                expectEqual(recorder.values.filter { $0 / 10 == decade }, (0..<decade).map { decade * 10 + $0 })
            }
            expect(recorder.isFinished)
        }
    }

    @Test("`flatMap` cancels its inner publishers when the upstream fails")
    func upstreamFails() {
        let (outer, inner) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { _ in inner }.subscribe(recorder)
        outer.send(1)
        outer.send(completion: .failure(.first))
        expectEqual(inner.cancellations, 1)
        expectEqual(recorder.failure, .first)
    }

    @Test("`flatMap` releases an inner publisher that has finished while others run")
    func innerIsLetGo() {
        let outer = PassthroughSubject<Int, Oops>()
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { $0 == 1 ? first : second }.subscribe(recorder)
        outer.send(1)
        outer.send(2)
        first.send(completion: .finished)
        expect(!first.isSubscriptionAlive)
        expect(second.isSubscriptionAlive)
        recorder.cancel()
        expect(!second.isSubscriptionAlive)
    }

    @Test("`flatMap` reads an endless sequence at most a few elements beyond the demand")
    func sequencesAreLazy() {
        let taken = Log<Int>()
        let recorder = Recorder<Int, Never>(Appetite(description: "2, then 1", atStart: [.max(2)], later: [.max(1)]))
        [0].publisher.flatMap { first in
            (first...).lazy.map { (value: Int) -> Int in
                taken.append(value)
                return value
            }.publisher
        }.subscribe(recorder)
        expectEqual(recorder.values, [0, 1])
        // One value waits for demand, and another one is read to detect the end.
        expect(taken.items.count <= 4)
        recorder.requestLater()
        expectEqual(recorder.values, [0, 1, 2])
        expect(taken.items.count <= 5)
    }

    @Test(
        "`flatMap` serves an element that its subscriber sends during a delivery between two values of a sequence",
        arguments: [false, true])
    func sequencesLetOthersIn(erased: Bool) {
        let outer = Probe<Int, Never>()
        let recorder = Recorder<Int, Never> { _, value in if value == 1 { outer.send(10) } }
        if erased {
            outer.flatMap { [$0, $0 + 1, $0 + 2].publisher.eraseToAnyPublisher() }.subscribe(recorder)
        } else {
            outer.flatMap { [$0, $0 + 1, $0 + 2].publisher }.subscribe(recorder)
        }
        outer.send(1)
        outer.send(completion: .finished)
        expectEqual(recorder.values, [1, 10, 11, 12, 2, 3])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`flatMap` uses constant stack for thousands of elements that arrive during a delivery")
    func manyLeftElements() {
        let outer = Probe<Int, Never>()
        let last = Budget.size(20_000, quick: 5_000)
        let recorder = Recorder<Int, Never> { _, value in if value == 0 { for element in 1...last { outer.send(element) } } }
        outer.flatMap { Just($0).handleEvents() }.subscribe(recorder)
        Worker(stackSize: 512 << 10) { outer.send(0) }.join()
        outer.send(completion: .finished)
        expectEqual(recorder.values, Array(0...last))
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`flatMap` over an endless sequence ends when the subscriber or an operator cancels")
    func endlessSequences() {
        let recorder = Recorder<Int, Never> { recorder, value in if value == 5 { recorder.cancel() } }
        [0].publisher.flatMap { ($0...).publisher }.subscribe(recorder)
        expectEqual(recorder.values, [0, 1, 2, 3, 4, 5])
        let limited = Recorder<Int, Never>()
        [0].publisher.flatMap { ($0...).publisher }.prefix(3).subscribe(limited)
        expectEqual(limited.values, [0, 1, 2])
        expect(limited.isFinished)
    }

    @Test("`flatMap` with a limit of one continues with the next sequence when one has been sent", arguments: [false, true])
    func sequencesMakeRoom(erased: Bool) {
        let recorder = Recorder<Int, Never>()
        if erased {
            (0..<3).publisher.flatMap(maxPublishers: .max(1)) { [$0, -$0].publisher.eraseToAnyPublisher() }.subscribe(recorder)
        } else {
            (0..<3).publisher.flatMap(maxPublishers: .max(1)) { [$0, -$0].publisher }.subscribe(recorder)
        }
        expectEqual(recorder.values, [0, 0, 1, -1, 2, -2])
        expect(recorder.isFinished)
    }

    @Test(
        "`flatMap` uses constant stack for publishers that end during one delivery",
        arguments: Budget.isExhaustive ? [10_000, 100_000] : [5_000])
    func manyEndInside(count: Int) {
        Worker(stackSize: 512 << 10) {
            let elements = PassthroughSubject<Int, Never>()
            let end = PassthroughSubject<Void, Never>()
            let outer = Probe<Int, Never>()
            let recorder = Recorder<Int, Never> { _, _ in end.send(completion: .finished) }
            outer.flatMap(maxPublishers: .max(count + 1)) { number in
                number < 0 ? elements.eraseToAnyPublisher() : end.map { number }.eraseToAnyPublisher()
            }.subscribe(recorder)
            for number in -1..<count { outer.send(number) }
            elements.send(1)
            expectEqual(recorder.values, [1])
            expectEqual(recorder.completions, [])
            // One for each publisher that has ended, in any number of requests.
            expectEqual(outer.requests.first, .max(count + 1))
            expectEqual(outer.demand, .max(count))
            outer.send(completion: .finished)
            elements.send(completion: .finished)
            expect(recorder.isFinished)
        }.wait()
    }
}

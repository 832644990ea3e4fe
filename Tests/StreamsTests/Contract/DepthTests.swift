import Foundation
import MoonlightTestSupport
import Streams
import Testing

@Suite("Stack use: deep nesting and large numbers of values", .serialized)
struct DepthTests {
    @Test("A million values of a subject, each sent during the delivery of the one before, use constant stack")
    func reentrantSends() {
        let limit = Budget.size(1_000_000, quick: 50_000)
        var count = 0
        let subject = PassthroughSubject<Int, Never>()
        let cancellable = subject.sink { value in
            count += 1
            if value < limit { subject.send(value + 1) }
        }
        subject.send(1)
        expectEqual(count, limit)
        cancellable.cancel()
    }

    @Test("Many changes of a current value, each made during the delivery of the one before, use constant stack")
    func reentrantChanges() {
        let limit = Budget.size(100_000, quick: 40_000)
        var count = 0
        let subject = CurrentValueSubject<Int, Never>(0)
        let cancellable = subject.sink { value in
            count += 1
            if value < limit { subject.value += 1 }
        }
        expectEqual(count, limit + 1)
        cancellable.cancel()
    }

    @Test("Many values that are sent to a merge during its deliveries use constant stack")
    func reentrantMerge() {
        let limit = Budget.size(100_000, quick: 30_000)
        var count = 0
        let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        let cancellable = a.map { $0 }.merge(with: b).sink { value in
            count += 1
            if value < limit { (value % 2 == 0 ? a : b).send(value + 1) }
        }
        a.send(1)
        expectEqual(count, limit)
        cancellable.cancel()
    }

    @Test("A very long sequence passes through `flatMap(maxPublishers: .max(1))`")
    func flatMapOneAtATime() {
        let count = Budget.size(1_000_000, quick: 40_000)
        var sum = 0
        _ = (1...count).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.sink { sum += $0 }
        expectEqual(sum, count * (count + 1) / 2)
    }

    @Test("A very long sequence that is requested value by value uses constant stack")
    func oneByOne() {
        let count = Budget.size(1_000_000, quick: 100_000)
        var seen: [Int] = []
        (1...count).publisher.filter { $0 % 1_000 == 0 }.map { $0 }.subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: {
                    seen.append($0)
                    return .max(1)
                }))
        expectEqual(seen.count, count / 1_000)
    }

    @Test("Joined publishers whose values are requested one by one during deliveries fit on a small stack")
    func requestsFromInside() {
        let values = OperatorCase.sequence(Array(0..<Budget.size(100_000, quick: 2_500)))
        for publisher in [
            values.append(-1).eraseToAnyPublisher(),
            values.merge(with: Empty()).append(-1).eraseToAnyPublisher(),
            values.flatMap(maxPublishers: .max(1)) { OperatorCase.sequence([$0]) }.append(-1).eraseToAnyPublisher(),
            values.receive(on: ImmediateScheduler.shared).append(-1).eraseToAnyPublisher(),
            values.delay(for: 1, scheduler: ImmediateScheduler.shared).append(-1).eraseToAnyPublisher(),
        ] {
            let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)])) { recorder, _ in
                recorder.request(.max(1))
            }
            Worker(stackSize: 512 << 10) { publisher.subscribe(recorder) }.wait()
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
        }
    }

    @Test(
        "Thousands of subscribers of a subject cancel in any order, and the others receive each value", arguments: [false, true])
    func manySubscribers(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let all = Budget.size(10_000, quick: 2_000)
        var random = Dice(seed: Budget.seed)
        var count = 0
        var cancellables = (0..<all).map { _ in
            subject.publisher.sink(receiveCompletion: { _ in }) { _ in count += 1 }
        }
        cancellables.shuffle(using: &random)
        for expected in [all, all * 3 / 4, all / 2, all / 4, 1] {
            cancellables.removeLast(cancellables.count - expected)
            count = 0
            subject.send(1)
            expectEqual(count, expected, "seed \(Budget.seed)")
        }
        cancellables = []
        count = 0
        subject.send(1)
        expectEqual(count, 0)
    }

    @Test("Thousands of subscribers that cancel during one delivery receive that value and no other")
    func allLeaveInside() {
        let subject = PassthroughSubject<Int, Oops>()
        let count = Budget.size(10_000, quick: 2_000)
        let recorders = (0..<count).map { _ in Recorder<Int, Oops> { recorder, _ in recorder.cancel() } }
        for recorder in recorders { subject.subscribe(recorder) }
        subject.send(1)
        subject.send(2)
        expect(recorders.allSatisfy { $0.values == [1] })
    }

    @Test("A chain of a thousand operators passes on values and can be cancelled")
    func longChain() {
        let subject = PassthroughSubject<Int, Oops>()
        var chain = subject.eraseToAnyPublisher()
        for index in 0..<1_000 {
            chain =
                index % 2 == 0
                ? chain.map { $0 + 1 }.eraseToAnyPublisher() : chain.handleEvents().eraseToAnyPublisher()
        }
        let recorder = Recorder<Int, Oops>()
        chain.subscribe(recorder)
        subject.send(0)
        expectEqual(recorder.values, [500])
        recorder.cancel()
        subject.send(1)
        expectEqual(recorder.values, [500])
    }

    @Test("A very long chain of subscribers is cancelled and released on a small stack")
    func longSubscribedChain() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        let watched = Watched()
        // Subscribing calls through the chain, which needs a large stack. Cancelling must not.
        Worker(stackSize: 1 << 30) { Self.subscribeLongChain(to: subject, recorder, watched) }.wait()
        expect(watched.token != nil)
        Worker(stackSize: 512 << 10) { recorder.cancel() }.wait()
        expect(watched.token == nil)
    }

    private final class Watched: @unchecked Sendable {
        // Sound: written before the other thread begins, and read after it has ended.
        weak var token: Token?
    }

    private static func subscribeLongChain(
        to subject: PassthroughSubject<Int, Oops>, _ recorder: Recorder<Int, Oops>, _ watched: Watched
    ) {
        let captured = Token()
        watched.token = captured
        var chain = subject.eraseToAnyPublisher()
        for _ in 0..<Budget.size(20_000, quick: 3_500) { chain = chain.map { captured.pass($0) }.eraseToAnyPublisher() }
        chain.subscribe(recorder)
    }

    @Test("A very long chain of operators without a subscriber is released on a small stack", arguments: [false, true])
    func longChainReleased(intercepts: Bool) {
        let watched = Watched()
        Worker(stackSize: 512 << 10) {
            let captured = Token()
            watched.token = captured
            var chain: Ints = Deferred { captured.pass(Empty()) }.eraseToAnyPublisher()
            for _ in 0..<Self.released {
                chain = intercepts ? chain.append(1).eraseToAnyPublisher() : chain.map { $0 }.eraseToAnyPublisher()
            }
        }.wait()
        expect(watched.token == nil)
    }

    /// The length of chains that are only created and released.
    private static let released = Budget.size(100_000, quick: 10_000)

    @Test("A very long chain of operators is released while another thread releases one")
    func longChainReleasedBesideAnother() {
        let (isAmidst, goOn) = (Latch(), Latch())
        let (slow, quick) = (Watched(), Watched())
        let slowOne = Worker(stackSize: 1 << 19) {
            Self.releaseLongChain(slow) {
                isAmidst.open()
                goOn.wait()
            }
        }
        isAmidst.wait()
        Worker(stackSize: 1 << 19) { Self.releaseLongChain(quick) {} }.wait()
        expect(quick.token == nil)
        expect(slow.token != nil, "the other is still in the midst")
        goOn.open()
        slowOne.wait()
        expect(slow.token == nil)
    }

    /// Creates and releases a chain. The `deinit` of its outermost operator makes a call before the innermost is released.
    private static func releaseLongChain(_ watched: Watched, calling call: @escaping @Sendable () -> Void) {
        let captured = Token()
        watched.token = captured
        var chain: Ints = Deferred { captured.pass(Empty()) }.eraseToAnyPublisher()
        for _ in 0..<released { chain = chain.map { $0 }.eraseToAnyPublisher() }
        let last = CallWhenReleased(call)
        chain = Deferred { [chain] in last.pass(chain) }.eraseToAnyPublisher()
    }

    private final class CallWhenReleased: Sendable {
        private let call: @Sendable () -> Void
        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
        deinit { call() }
        func pass(_ chain: Ints) -> Ints { chain }
    }

    @Test("`append` at any nesting depth sends all values in order, on a small stack and in linear time")
    func nestedAppends() {
        let count = Budget.size(50_000, quick: 5_000)
        Worker(stackSize: 512 << 10) {
            let recorder = Recorder<Int, Oops>()
            Self.countdown(from: count).subscribe(recorder)
            expectEqual(recorder.values, Array((1...count).reversed()))
            expect(recorder.isFinished)
        }.wait()
    }

    @Test("Publishers that are merged with each other, level by level, send all values in order, on a small stack")
    func levels() {
        let count = Budget.size(50_000, quick: 5_000)
        Worker(stackSize: 512 << 10) {
            var merged: Ints = Empty().eraseToAnyPublisher()
            for number in 1...count {
                merged = merged.merge(with: OperatorCase.sequence([number])).eraseToAnyPublisher()
            }
            let recorder = Recorder<Int, Oops>()
            merged.subscribe(recorder)
            expectEqual(recorder.values, Array(1...count))
            expect(recorder.isFinished)
        }.wait()
    }

    @Test("Merges at any nesting depth pass on later values, requests and cancellation, and finish with the last publisher")
    func nestedMerges() {
        let probes = (0..<20).map { _ in Probe<Int, Oops>() }
        var chain: Ints = Empty().eraseToAnyPublisher()
        for (place, probe) in probes.enumerated() {
            let part = probe.eraseToAnyPublisher()
            chain =
                place.isMultiple(of: 2)
                ? chain.merge(with: part).eraseToAnyPublisher() : Publishers.Merge(part, chain).eraseToAnyPublisher()
        }
        let recorder = Recorder<Int, Oops>(Appetite(description: "", atStart: [.max(1)], later: [.max(4)]))
        chain.subscribe(recorder)
        for (number, probe) in probes.enumerated() { probe.sendOnDemand([number]) }
        expectEqual(recorder.values, [0])
        recorder.requestLater()
        expectEqual(recorder.values, Array(0..<5))
        expect(probes.allSatisfy { $0.subscriptions == 1 })
        for probe in probes.dropLast() { probe.send(completion: .finished) }
        expect(!recorder.isFinished)
        recorder.cancel()
        expectEqual(probes[19].cancellations, 1)
        expectEqual(recorder.violations, [])
    }

    @Test("`append` at any nesting depth sends the later values of a subject, after publishers with and without values")
    func stepsOfNestedAppends() {
        let (last, recorder) = (PassthroughSubject<Int, Oops>(), Recorder<Int, Oops>())
        var chain = last.eraseToAnyPublisher()
        for number in 0..<100 { chain = Self.countdown(from: number % 2).append(chain).eraseToAnyPublisher() }
        chain.subscribe(recorder)
        last.send(2)
        last.send(completion: .finished)
        expectEqual(recorder.values, Array(repeating: 1, count: 50) + [2])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    private static func countdown(from number: Int) -> Ints {
        if number == 0 { return Empty().eraseToAnyPublisher() }
        return OperatorCase.sequence([number]).append(Deferred { countdown(from: number - 1) }).eraseToAnyPublisher()
    }
}

import MoonlightTestSupport
import Testing

@testable import Streams

@Suite("Type erasure")
struct ErasureTests {
    @Test("An erased publisher sends the events of the publisher that it wraps")
    func anyPublisher() {
        let erased: [Ints] = [
            OperatorCase.sequence([1, 2]).eraseToAnyPublisher(),
            OperatorCase.sequence([1, 2]).map { $0 }.eraseToAnyPublisher(),
            AnyPublisher(OperatorCase.sequence([1, 2]).eraseToAnyPublisher()),
        ]
        for publisher in erased {
            let recorder = Recorder<Int, Oops>()
            publisher.subscribe(recorder)
            expectEqual(recorder.values, [1, 2])
            expect(recorder.isFinished)
        }
        expectEqual(erased[0].description, "AnyPublisher")
    }

    @Test("The depth of a publisher is the number of erased publishers nested in it")
    func depth() {
        let base = OperatorCase.sequence([1]).handleEvents()
        expectEqual(base._erasureDepth, 0)
        // A ready value is stored without another publisher.
        expectEqual(AnyPublisher(Just(1))._erasureDepth, 0)
        let one = base.eraseToAnyPublisher()
        let three = one.map { $0 }.eraseToAnyPublisher().flatMap { Just($0).setFailureType(to: Oops.self) }.eraseToAnyPublisher()
        expectEqual(one._erasureDepth, 1)
        expectEqual(one.eraseToAnyPublisher()._erasureDepth, 1)
        expectEqual(three._erasureDepth, 3)
        expectEqual(three.filter { $0 > 0 }.scan(0, +)._erasureDepth, 3)
    }

    @Test("The depth of combined publishers is that of the deepest one, wherever it is listed")
    func depthOfJoined() {
        let (one, base) = (OperatorCase.sequence([1]).handleEvents().eraseToAnyPublisher(), Empty<Int, Oops>())
        let b = one.map { $0 }.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher()
        expectEqual(Publishers.MergeMany([Ints]())._erasureDepth, 0)
        for joined in [[one.merge(with: b)._erasureDepth, b.merge(with: one)._erasureDepth], depths(base, b)] {
            expectEqual(joined, Array(repeating: 3, count: joined.count))
        }
    }

    /// The depths of combined publishers, one of which is deep.
    private func depths(_ a: Empty<Int, Oops>, _ b: Ints) -> [Int] {
        let merges = [
            a.merge(with: b)._erasureDepth, b.merge(with: a)._erasureDepth, b.merge(with: a, a)._erasureDepth,
            a.merge(with: b, a)._erasureDepth, a.merge(with: a, b)._erasureDepth, a.merge(with: a, a, b)._erasureDepth,
            a.merge(with: a, b, a)._erasureDepth, a.merge(with: a, a, a, b)._erasureDepth,
            a.merge(with: a, a, b, a)._erasureDepth, a.merge(with: a, a, a, a, b)._erasureDepth,
            a.merge(with: a, a, a, a, a, b)._erasureDepth, a.merge(with: a, a, a, a, a, a, b)._erasureDepth,
            b.merge(with: a, a, a, a, a, a, a)._erasureDepth,
        ]
        let zips = [
            a.zip(b)._erasureDepth, b.zip(a)._erasureDepth, a.zip(a, b)._erasureDepth, a.zip(b, a)._erasureDepth,
            b.zip(a, a)._erasureDepth, a.zip(a, a, b)._erasureDepth, b.zip(a, a, a)._erasureDepth,
        ]
        let latest = [
            a.combineLatest(b)._erasureDepth, b.combineLatest(a)._erasureDepth, a.combineLatest(a, b)._erasureDepth,
            a.combineLatest(b, a)._erasureDepth, b.combineLatest(a, a)._erasureDepth,
            a.combineLatest(a, a, b)._erasureDepth, b.combineLatest(a, a, a)._erasureDepth,
        ]
        return merges + zips + latest + [a.append(b)._erasureDepth, b.append(a)._erasureDepth]
    }

    @Test("An erased `Just` sends its value")
    func just() {
        let recorder = Recorder<Int, Never>()
        AnyPublisher(Just(4)).subscribe(recorder)
        expectEqual(recorder.values, [4])
        expect(recorder.isFinished)
    }

    @Test("`AnySubscriber` with closures requests nothing by itself")
    func closures() {
        let received = Log<Int>()
        let subscriber = AnySubscriber<Int, Oops>(receiveValue: {
            received.append($0)
            return .none
        })
        OperatorCase.sequence([1, 2]).subscribe(subscriber)
        expectEqual(received.items, [])
    }

    @Test("`AnySubscriber` with closures requests the demand that they return")
    func closuresAsk() {
        let received = Log<String>()
        OperatorCase.sequence([1, 2, 3]).subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: {
                    received.append("\($0)")
                    return .max(1)
                },
                receiveCompletion: { received.append("\($0)") }))
        expectEqual(received.items, ["1", "2", "3", "finished"])
    }

    @Test("`AnySubscriber` of a subject passes on the upstream's events, and requests once the subject has a subscriber")
    func subjectAsSubscriber() {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        probe.subscribe(AnySubscriber(subject))
        expectEqual(probe.requests, [])
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        expectEqual(probe.requests, [.unlimited])
        probe.sendOnDemand([1])
        probe.send(completion: .failure(.first))
        expectEqual(recorder.values, [1])
        expectEqual(recorder.failure, .first)
    }

    @Test("`AnySubscriber` of a current value subject requests from its upstream at once")
    func currentValueAsSubscriber() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        OperatorCase.sequence([1, 2, 3]).append(Empty(completeImmediately: false)).subscribe(AnySubscriber(subject))
        expectEqual(subject.value, 3)
    }
}

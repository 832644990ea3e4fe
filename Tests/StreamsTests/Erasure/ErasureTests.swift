import Testing

@testable import Streams

@Suite("Type erasure")
struct ErasureTests {
    @Test("an erased publisher sends what the one behind it sends")
    func anyPublisher() {
        let erased: [Ints] = [
            OperatorCase.sequence([1, 2]).eraseToAnyPublisher(),
            OperatorCase.sequence([1, 2]).map { $0 }.eraseToAnyPublisher(),
            AnyPublisher(OperatorCase.sequence([1, 2]).eraseToAnyPublisher()),
        ]
        for publisher in erased {
            let recorder = Recorder<Int, Oops>()
            publisher.subscribe(recorder)
            #expect(recorder.values == [1, 2])
            #expect(recorder.isFinished)
        }
        #expect(erased[0].description == "AnyPublisher")
    }

    @Test("erased publishers and cancellables are counted, so that deep nests of them are noticed")
    func counted() {
        // Others may be alive, too.
        let count = 20_000
        let publishers = (0..<count).map { _ in [1].publisher.handleEvents().eraseToAnyPublisher() }
        #expect(IterativeRelease.live.load(ordering: .relaxed) >= count)
        let cancellables = (0..<count).map { _ in AnyCancellable {} }
        #expect(IterativeRelease.live.load(ordering: .relaxed) >= 2 * count)
        withExtendedLifetime((publishers, cancellables)) {}
    }

    @Test("the depth of a publisher is the number of erased ones in each other")
    func depth() {
        let base = OperatorCase.sequence([1]).handleEvents()
        #expect(base._erasureDepth == 0)
        // What lies ready is stored as it is.
        #expect(AnyPublisher(Just(1))._erasureDepth == 0)
        let one = base.eraseToAnyPublisher()
        let three = one.map { $0 }.eraseToAnyPublisher().flatMap { Just($0).setFailureType(to: Oops.self) }.eraseToAnyPublisher()
        #expect(one._erasureDepth == 1)
        #expect(one.eraseToAnyPublisher()._erasureDepth == 1)
        #expect(three._erasureDepth == 3)
        #expect(three.filter { $0 > 0 }.scan(0, +)._erasureDepth == 3)
    }

    @Test("the depth of publishers that are joined is that of the deepest, wherever it stands")
    func depthOfJoined() {
        let (one, base) = (OperatorCase.sequence([1]).handleEvents().eraseToAnyPublisher(), Empty<Int, Oops>())
        let b = one.map { $0 }.eraseToAnyPublisher().map { $0 }.eraseToAnyPublisher()
        #expect(Publishers.MergeMany([Ints]())._erasureDepth == 0)
        for joined in [[one.merge(with: b)._erasureDepth, b.merge(with: one)._erasureDepth], depths(base, b)] {
            #expect(joined == Array(repeating: 3, count: joined.count))
        }
    }

    /// The depths of joined publishers of which one is deep.
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

    @Test("an erased Just sends its value")
    func just() {
        let recorder = Recorder<Int, Never>()
        AnyPublisher(Just(4)).subscribe(recorder)
        #expect(recorder.values == [4])
        #expect(recorder.isFinished)
    }

    @Test("a subscriber made of closures asks for nothing by itself")
    func closures() {
        let received = Log<Int>()
        let subscriber = AnySubscriber<Int, Oops>(receiveValue: {
            received.append($0)
            return .none
        })
        OperatorCase.sequence([1, 2]).subscribe(subscriber)
        #expect(received.items == [])
    }

    @Test("a subscriber made of closures asks for what they return")
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
        #expect(received.items == ["1", "2", "3", "finished"])
    }

    @Test("a subject used as a subscriber passes on what its upstream sends, and asks when it is asked")
    func subjectAsSubscriber() {
        let probe = Probe<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        probe.subscribe(AnySubscriber(subject))
        #expect(probe.requests == [])
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        #expect(probe.requests == [.unlimited])
        probe.sendOnDemand([1])
        probe.send(completion: .failure(.first))
        #expect(recorder.values == [1])
        #expect(recorder.failure == .first)
    }

    @Test("a current value subject used as a subscriber asks its upstream at once")
    func currentValueAsSubscriber() {
        let subject = CurrentValueSubject<Int, Oops>(0)
        OperatorCase.sequence([1, 2, 3]).append(Empty(completeImmediately: false)).subscribe(AnySubscriber(subject))
        #expect(subject.value == 3)
    }
}

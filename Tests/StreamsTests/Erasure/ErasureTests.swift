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

    @Test("the depth of a publisher is the number of erased ones in each other, on its deepest side")
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
        #expect([one.zip(three)._erasureDepth, three.zip(one)._erasureDepth] == [3, 3])
        #expect([one.combineLatest(three)._erasureDepth, three.combineLatest(one)._erasureDepth] == [3, 3])
        #expect([one.append(three)._erasureDepth, three.append(one)._erasureDepth] == [3, 3])
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

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

    /// A subscriber that passes on everything, and counts look-ups.
    private struct Counting: Subscriber {
        let downstream: AnySubscriber<Int, Never>
        let lookUps: Log<String>

        var combineIdentifier: CombineIdentifier {
            lookUps.append("identifier")
            return downstream.combineIdentifier
        }

        var _subscriberContext: (any _SubscriberContext)? {
            lookUps.append("context")
            return downstream._subscriberContext
        }

        func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
        func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }
        func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: completion) }
    }

    @Test("A look-up of the identifier or the context behind nested erased subscribers asks each of them once")
    func lookUps() {
        let log = Log<String>()
        let last = AnySubscriber<Int, Never>(receiveValue: { _ in .none })
        var subscriber = last
        for _ in 0..<12 { subscriber = AnySubscriber(Counting(downstream: subscriber, lookUps: log)) }
        expectEqual(subscriber.combineIdentifier, last.combineIdentifier)
        expectEqual(log.items, Array(repeating: "identifier", count: 12))
        expect(subscriber._subscriberContext == nil)
        expectEqual(log.items.count, 24)
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

import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 1: grammar")
struct GrammarTests {
    @Test("An operator sends one subscription, its values and one completion", arguments: OperatorCase.all)
    func wellFormed(_ operation: OperatorCase) {
        for source in SourceCase.all {
            for values in [[], [4], [1, 1, 2, 3, 3, 4, 5, 6]] {
                let recorder = Recorder<Int, Oops>()
                operation.apply(source.make(values), Token()).subscribe(recorder)
                let context: Comment = "\(operation) of \(source) of \(values)"
                expectEqual(recorder.values, operation.model(values, false), context)
                expectEqual(recorder.completions, [.finished], context)
                expectEqual(recorder.violations, [], context)
            }
        }
    }

    @Test("An operator that has not ended passes on the failure of its upstream", arguments: OperatorCase.all)
    func failure(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.sendOnDemand([1, 4, 2])
        probe.send(completion: .failure(.first))
        expectEqual(recorder.values, operation.model([1, 4, 2], true))
        expectEqual(recorder.completions, [operation.finishesEarly([1, 4, 2]) ? .finished : .failure(.first)])
        expectEqual(recorder.violations, [])
    }

    @Test(
        "An operator drops events that its upstream sends after its completion", arguments: OperatorCase.all.filter(\.isGuarded))
    func afterCompletion(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        for value in [1, 4, 2, 6] { probe.send(value) }
        for completion in [.finished, .finished, .failure(.first)] as [Subscribers.Completion<Oops>] {
            probe.send(completion: completion)
            probe.send(6)
        }
        expectEqual(recorder.values, operation.model([1, 4, 2, 6], false))
        expectEqual(recorder.completions, [.finished])
        expectEqual(recorder.violations, [])
    }

    @Test("An operator whose upstream fails twice fails once", arguments: OperatorCase.all.filter(\.isGuarded))
    func failsTwice(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.send(completion: .failure(.first))
        probe.send(completion: .failure(.second))
        probe.send(completion: .finished)
        expectEqual(recorder.completions, [operation.finishesEarly([]) ? .finished : .failure(.first)])
        expectEqual(recorder.violations, [])
    }

    @Test(
        "An operator cancels a second subscription, does not pass it on, and requests nothing more",
        arguments: OperatorCase.all.filter(\.isGuarded))
    func secondSubscription(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        let before = probe.cancellations
        let requests = probe.requests
        probe.subscribeAgain()
        expectEqual(probe.requests, requests)
        expectEqual(probe.cancellations, before + 1)
        expectEqual(recorder.violations, [])
    }

    @Test("A sink cancels the second of two subscriptions")
    func sinkTakesOne() {
        let probe = Probe<Int, Oops>()
        let cancellable = probe.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        probe.subscribeAgain()
        expectEqual(probe.cancellations, 1)
        cancellable.cancel()
        expectEqual(probe.cancellations, 2)
    }

    @Test("A sink receives one completion and nothing after it")
    func sinkAfterCompletion() {
        let probe = Probe<Int, Oops>(isDeaf: true)
        var events: [String] = []
        let cancellable = probe.sink {
            events.append("\($0)")
        } receiveValue: {
            events.append("\($0)")
        }
        probe.send(1)
        probe.send(completion: .finished)
        probe.send(2)
        probe.send(completion: .failure(.first))
        expectEqual(events, ["1", "finished"])
        cancellable.cancel()
    }

    @Test("A subject sends one completion and nothing after it", arguments: [false, true])
    func subjectAfterCompletion(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let recorder = Recorder<Int, Oops>()
        subject.publisher.subscribe(recorder)
        subject.send(1)
        subject.send(completion: .failure(.first))
        subject.send(2)
        subject.send(completion: .finished)
        expect(recorder.values == (keepsCurrent ? [0, 1] : [1]))
        expectEqual(recorder.completions, [.failure(.first)])
        expectEqual(recorder.violations, [])
    }

    @Test("A subject that has completed sends a new subscriber only the completion", arguments: [false, true])
    func lateSubscriber(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        subject.send(completion: .failure(.second))
        let recorder = Recorder<Int, Oops>()
        subject.publisher.subscribe(recorder)
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [.failure(.second)])
        expectEqual(recorder.violations, [])
    }

    @Test("A value that is sent while a subscriber receives its subscription is delivered afterwards", arguments: [false, true])
    func sentDuringSubscription(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let events = Log<String>()
        let subscriber = AnySubscriber<Int, Oops>(
            receiveSubscription: { subscription in
                subscription.request(.unlimited)
                subject.send(5)
                events.append("subscribed")
            },
            receiveValue: { value in
                events.append("\(value)")
                return .none
            },
            receiveCompletion: { events.append("\($0)") })
        subject.publisher.subscribe(subscriber)
        subject.send(completion: .finished)
        expectEqual(events.items, ["subscribed"] + (keepsCurrent ? ["0"] : []) + ["5", "finished"])
    }
}

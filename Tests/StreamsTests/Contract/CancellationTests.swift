import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 4: cancellation")
struct CancellationTests {
    @Test("An operator that is cancelled sends nothing more, and cancels its upstream once", arguments: OperatorCase.all)
    func nothingAfter(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.sendOnDemand([1, 2])
        let before = recorder.values
        let wasRunning = recorder.completions.isEmpty
        recorder.cancel()
        // An operator that passes its subscription on passes on every cancellation.
        if operation.isGuarded { recorder.cancel() }
        probe.send(8)
        probe.send(completion: .finished)
        expectEqual(recorder.values, before)
        expectEqual(recorder.completions.isEmpty, wasRunning)
        expectEqual(probe.cancellations, 1)
    }

    @Test(
        "Events that an upstream sends after its cancellation are dropped", arguments: OperatorCase.all.filter(\.isGuarded))
    func deafUpstream(_ operation: OperatorCase) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        recorder.cancel()
        let before = (recorder.values, recorder.completions)
        probe.send(8)
        probe.send(completion: .finished)
        expectEqual(recorder.values, before.0)
        expectEqual(recorder.completions, before.1)
    }

    @Test("A sequence that is cancelled and then requested from in a delivery keeps its subscriber until the delivery returns")
    func askedAfterwards() {
        final class Held { var subscription: (any Subscription)? }
        /// Cancels and requests during a delivery, and checks whether its part is still alive.
        struct Careless: Subscriber {
            let combineIdentifier = CombineIdentifier()
            let (held, isThere): (Held, @Sendable () -> Bool)
            let log: Log<Bool>

            func receive(subscription: any Subscription) { held.subscription = subscription }
            func receive(_ input: Int) -> Subscribers.Demand {
                held.subscription?.cancel()
                held.subscription?.request(.max(1))
                log.append(isThere())
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) {}
        }
        final class Watch: @unchecked Sendable {
            // Sound: used by one thread.
            weak var token: Token?
        }
        let (log, watch, held) = (Log<Bool>(), Watch(), Held())
        func subscribe() {
            let part = Token()
            watch.token = part
            [1, 2, 3].publisher.map { part.pass($0) }
                .subscribe(Careless(held: held, isThere: { watch.token != nil }, log: log))
        }
        subscribe()
        // From here on, only the subscription retains the part.
        held.subscription?.request(.max(1))
        expectEqual(log.items, [true])
        expect(watch.token == nil)
    }

    @Test("An operator that is cancelled during a delivery sends nothing more", arguments: OperatorCase.all)
    func inside(_ operation: OperatorCase) {
        for source in SourceCase.all {
            for last in 0..<4 {
                for appetite in [.unlimited, Appetite(description: "one by one", atStart: [.max(9)])] {
                    let recorder = Recorder<Int, Oops>(appetite) { recorder, _ in
                        if recorder.values.count == last + 1 { recorder.cancel() }
                    }
                    let list = [1, 2, 3, 4, 5, 6, 7]
                    operation.apply(source.make(list), Token()).subscribe(recorder)
                    recorder.request(.unlimited)
                    let values = operation.model(list, false)
                    expectEqual(recorder.values, Array(values.prefix(last + 1)), "\(operation) of \(source)")
                    expect(recorder.completions.isEmpty == (values.count > last), "\(operation) of \(source)")
                }
            }
        }
    }

    @Test("An operator that is cancelled before any request sends no value", arguments: OperatorCase.all)
    func beforeDemand(_ operation: OperatorCase) {
        for source in SourceCase.all {
            let recorder = Recorder<Int, Oops>(.nothing)
            operation.apply(source.make([1, 2, 3]), Token()).subscribe(recorder)
            recorder.cancel()
            let completions = recorder.completions
            recorder.request(.unlimited)
            expectEqual(recorder.values, [])
            expectEqual(recorder.completions, completions)
        }
    }

    @Test("A subscriber that cancels while it receives its subscription gets nothing", arguments: [false, true])
    func whileSubscribing(keepsCurrent: Bool) {
        let subject = AnySubject(keepsCurrent: keepsCurrent)
        let events = Log<Int>()
        let subscriber = AnySubscriber<Int, Oops>(
            receiveSubscription: { subscription in
                subscription.request(.unlimited)
                subscription.cancel()
            },
            receiveValue: { value in
                events.append(value)
                return .none
            }, receiveCompletion: { _ in events.append(-1) })
        subject.publisher.subscribe(subscriber)
        subject.send(1)
        OperatorCase.sequence([1, 2]).subscribe(subscriber)
        OperatorCase.sequence([1, 2]).append(3).merge(with: Fail(error: .first)).subscribe(subscriber)
        Future { $0(.success(1)) }.subscribe(subscriber)
        subject.send(completion: .finished)
        expectEqual(events.items, [])
    }

    @Test("A sink whose cancellable is released gets no more values")
    func deinitCancels() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var cancellable: AnyCancellable? = subject.sink { seen.append($0) }
        subject.send(1)
        expect(cancellable != nil)
        cancellable = nil
        subject.send(2)
        expectEqual(seen, [1])
    }

    @Test("A sink whose cancellable is not stored cancels its upstream at once")
    func unkept() {
        let probe = Probe<Int, Never>()
        _ = probe.sink { _ in }
        expectEqual(probe.cancellations, 1)
    }

    @Test("A merge that is cancelled cancels each of its upstreams")
    func manyUpstreams() {
        let probes = (0..<8).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        Publishers.Merge8(
            probes[0], probes[1], probes[2], probes[3], probes[4], probes[5], probes[6], probes[7]
        ).subscribe(recorder)
        recorder.cancel()
        expectEqual(probes.map(\.cancellations), Array(repeating: 1, count: 8))
    }

    @Test("The failure of one upstream of a merge cancels the others")
    func failureCancels() {
        let probes = (0..<3).map { _ in Probe<Int, Oops>() }
        let recorder = Recorder<Int, Oops>()
        Publishers.MergeMany(probes).subscribe(recorder)
        probes[1].send(completion: .failure(.second))
        expectEqual(probes.map(\.cancellations), [1, 0, 1])
        expectEqual(recorder.failure, .second)
    }

    @Test("A cancelled `flatMap` cancels its upstream and its inner publishers")
    func flatMap() {
        let (outer, inner) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        outer.flatMap { _ in inner }.subscribe(recorder)
        outer.send(1)
        outer.send(2)
        recorder.cancel()
        expectEqual(outer.cancellations, 1)
        expectEqual(inner.cancellations, 2)
    }

    @Test("`append` that is cancelled during its first publisher does not subscribe to the second")
    func appendNeverStarts() {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        first.append(second).subscribe(recorder)
        recorder.cancel()
        first.send(completion: .finished)
        expectEqual(second.subscriptions, 0)
    }

    @Test(
        "An operator does not subscribe to a publisher if the closure that creates it cancels the subscription",
        arguments: ["catch", "tryCatch", "flatMap", "flatMapLatest"])
    func insideTheClosure(name: String) {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        let make: @Sendable () -> Probe<Int, Oops> = {
            recorder.cancel()
            return second
        }
        let stream: Ints =
            switch name {
            case "catch": first.catch { _ in make() }.eraseToAnyPublisher()
            case "tryCatch": first.tryCatch { (_) throws(Oops) in make() }.eraseToAnyPublisher()
            case "flatMap": first.flatMap { _ in make() }.eraseToAnyPublisher()
            default: first.flatMapLatest { _ in make() }.eraseToAnyPublisher()
            }
        stream.subscribe(recorder)
        first.send(1)
        first.send(completion: .failure(.first))
        expectEqual(second.subscriptions, 0)
        expectEqual(recorder.completions, [])
    }

    /// Fails on subscription, and runs a closure before `receive(subscriber:)` returns.
    private struct Failing: Publisher {
        typealias Output = Int
        typealias Failure = Oops
        let afterwards: @Sendable () -> Void

        func receive(subscriber: some Subscriber<Int, Oops>) {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: .failure(.first))
            afterwards()
        }
    }

    @Test("`retry` makes no further attempt if the subscription is cancelled right after the failure")
    func retry() {
        let (attempts, recorder) = (Log<Int>(), Recorder<Int, Oops>())
        Failing {
            attempts.append(1)
            recorder.cancel()
        }.retry(5).subscribe(recorder)
        expectEqual(attempts.items, [1])
        expectEqual(recorder.completions, [])
    }

    @Test(
        "An operator does not subscribe to its upstream if its subscriber cancels when it receives the subscription",
        arguments: ["drop(untilOutputFrom:)", "withLatestFrom", "merge", "flatMap"])
    func onReceivingTheSubscription(name: String) {
        let probes = [Probe<Int, Oops>(), Probe<Int, Oops>()]
        combined(probes[0], probes[1], by: name).subscribe(
            AnySubscriber<Int, Oops>(receiveSubscription: { $0.cancel() }))
        expectEqual(probes.map(\.subscriptions), [0, 0])
    }

    @Test(
        "An operator does not subscribe to its next upstream if subscribing to the previous one cancels the subscription",
        arguments: ["drop(untilOutputFrom:)", "withLatestFrom", "merge"], [false, true])
    func whileSubscribingToOne(name: String, isLong: Bool) {
        let (first, second) = (Probe<Int, Oops>(), Probe<Int, Oops>())
        let recorder = Recorder<Int, Oops>()
        let cancelling = Deferred {
            recorder.cancel()
            return first
        }.eraseToAnyPublisher()
        // The second upstream of a gate is subscribed to first.
        let isGate = name.hasPrefix("drop") || name.hasPrefix("with")
        var stream = isGate ? combined(second, cancelling, by: name) : combined(cancelling, second, by: name)
        // A long chain.
        for _ in 0..<(isLong ? 40 : 0) { stream = stream.map { $0 }.eraseToAnyPublisher() }
        stream.subscribe(recorder)
        expectEqual(first.cancellations, 1)
        expectEqual(second.subscriptions, 0)
    }

    private func combined(
        _ a: some Publisher<Int, Oops> & Sendable, _ b: some Publisher<Int, Oops> & Sendable, by name: String
    ) -> Ints {
        switch name {
        case "drop(untilOutputFrom:)": a.drop(untilOutputFrom: b).eraseToAnyPublisher()
        case "withLatestFrom": a.withLatestFrom(b) { $0 + $1 }.eraseToAnyPublisher()
        case "merge": a.merge(with: b).eraseToAnyPublisher()
        default: a.flatMap { _ in b }.eraseToAnyPublisher()
        }
    }

    @Test("No closure of an inner publisher runs if the closure that created the publisher cancels the subscription")
    func closuresOfWhatIsMade() {
        let (source, ran) = (Probe<Int, Oops>(), Log<Int>())
        let recorder = Recorder<Int, Oops>()
        source.flatMap { _ in
            recorder.cancel()
            return OperatorCase.sequence([1, 2]).map { value in
                ran.append(value)
                return value
            }
        }.subscribe(recorder)
        source.send(0)
        expectEqual(ran.items, [])
    }

    @Test(
        "`prefix`, `first` and `output(at:)` cancel their upstream when they have received enough values",
        arguments: ["prefix(3)", "first", "output(at:)"])
    func limits(name: String) throws {
        let operation = try #require(OperatorCase.all.first { $0.description == name })
        let probe = Probe<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), Token()).subscribe(recorder)
        probe.sendOnDemand([1, 2, 3, 4, 5])
        expectEqual(probe.cancellations, 1)
        expect(recorder.isFinished)
    }
}

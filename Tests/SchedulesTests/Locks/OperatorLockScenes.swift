import Foundation
import MoonlightTestSupport
import Streams
import Testing

/// No lock is held while user code runs: here, that of values, errors, closures and subscriptions in streams.
extension Schedules {
    @Suite("No lock is held while user code runs: streams") struct OperatorLockScenes {
        enum End: CaseIterable { case finished, failed, cancelled, released }

        /// Runs a closure, releases everything, and expects that no lock was held while user code was called.
        static func expectNone(_ what: String, _ body: (LockWatch) -> Void, location: SourceLocation = #_sourceLocation) {
            let watch = LockWatch()
            body(watch)
            #expect(watch.found == [], "\(what)", sourceLocation: location)
        }

        @Test("The watcher detects a lock that is held while a value is compared, hashed, described and released")
        func control() {
            let watch = LockWatch()
            let lock = Lock<Probe?>(watch.probe(1))
            lock.withLock { probe in
                _ = probe == probe
                _ = probe.hashValue
                _ = "\(probe as Any)"
                probe = nil
            }
            let calls = watch.found.map { $0.prefix { $0 != " " } }
            #expect(calls == ["==", "deinit", "description", "hash(into:)"])
            watch.look("nothing")
            #expect(watch.found.count == 4)
        }

        /// Values, an end, and more values from inside the first delivery.
        private static func play(
            _ probed: ProbedOperator, _ demand: Subscribers.Demand, _ end: End, isReentrant: Bool, isHandmade: Bool,
            _ watch: LockWatch
        ) {
            let parts = ProbeParts(watch)
            let subject = CurrentValueSubject<Probe, ProbeError>(parts.probe(1))
            let control = HandmadeProbes.Control()
            func send(_ number: Int) { isHandmade ? control.send(parts.probe(number)) : subject.send(parts.probe(number)) }
            let up = isHandmade ? AnyPublisher(HandmadeProbes(watch: watch, control: control)) : AnyPublisher(subject)
            let taker = ProbeTaker(
                demand, watch,
                atFirstValue: isReentrant
                    ? {
                        if isHandmade { return parts.other.send(parts.probe(7)) }
                        for number in [2, 2, 3] { subject.send(parts.probe(number)) }
                        parts.other.send(parts.probe(7))
                    } : nil)
            probed.apply(up, parts).subscribe(taker)
            parts.other.send(parts.probe(5))
            // It sends only requested values; the operators that request few are tested with the subject.
            for number in isHandmade && demand != .unlimited ? [] : [1, 2, 2, 3] { send(number) }
            parts.time.advance(by: 4)
            send(4)
            taker.request(1)
            parts.other.send(parts.probe(6))
            parts.time.advance(by: 30)
            switch end {
            case .finished, .failed:
                let completion: Subscribers.Completion<ProbeError> = end == .failed ? .failure(watch.error(80)) : .finished
                isHandmade ? control.finish(completion) : subject.send(completion: completion)
                parts.other.send(parts.probe(6))
                parts.time.advance(by: 30)
                parts.other.send(completion: completion)
                taker.request(3)
            case .cancelled: taker.cancel()
            case .released: break
            }
            parts.time.advance(by: 30)
            if end != .released { taker.cancel() }
            withExtendedLifetime(taker) {}
        }

        @Test("Operators hold no lock while user code runs", arguments: ProbedOperator.all)
        func operators(_ probed: ProbedOperator) {
            for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
                for end in End.allCases {
                    for isReentrant in [false, true] {
                        let watch = LockWatch()
                        Self.play(probed, demand, end, isReentrant: isReentrant, isHandmade: false, watch)
                        #expect(watch.found == [], "\(probed), \(demand), \(end), \(isReentrant)")
                    }
                }
            }
        }

        @Test("Operators over a foreign publisher hold no lock while user code runs", arguments: ProbedOperator.all)
        func handmade(_ probed: ProbedOperator) {
            // It does not count requests, which a few operators would treat as a fault.
            let counting = ["zip", "zip of three", "flatMap of one at a time", "retry", "share again", "prepend a publisher"]
            if counting.contains(probed.description) || probed.description.hasPrefix("buffer that is kept") { return }
            for end in End.allCases {
                let watch = LockWatch()
                Self.play(probed, .unlimited, end, isReentrant: true, isHandmade: true, watch)
                #expect(watch.found == [], "\(probed), \(end)")
            }
        }

        @Test(
            "Operators hold no lock while user code runs if one thread sends and another requests, sends and cancels",
            arguments: ProbedOperator.all)
        func threads(_ probed: ProbedOperator) {
            explore(preemptions: 1, limit: 60, rounds: 20) { stage in
                let watch = LockWatch()
                let parts = ProbeParts(watch)
                let subject = CurrentValueSubject<Probe, ProbeError>(parts.probe(1))
                let taker = ProbeTaker(.max(1), watch)
                probed.apply(AnyPublisher(subject), parts).subscribe(taker)
                stage.thread {
                    for number in [2, 2, 3] { subject.send(parts.probe(number)) }
                    parts.time.advance(by: 30)
                    subject.send(completion: .failure(watch.error(80)))
                }
                stage.thread {
                    taker.request(2)
                    parts.other.send(parts.probe(7))
                    taker.cancel()
                }
                stage.lastly { watch.found.isEmpty ? nil : watch.found.joined(separator: "; ") }
            }
        }

        @Test("The tests of locks cover every operator of `Publisher`")
        func complete() throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
            let api = try String(contentsOf: root.appendingPathComponent("API/Streams.txt"), encoding: .utf8)
            let methods = Set(
                api.split(separator: "\n").filter {
                    $0.hasPrefix("Publisher.") && !$0.hasPrefix("Publisher._") && $0.contains(" func ")
                }
                .map { String($0.dropFirst("Publisher.".count).prefix { $0.isLetter }) })
            // Every operator is in `ProbedOperator.all` or in this list, whose operators have a test of their own below, or keep
            // nothing.
            let others: Set = ["assign", "decode", "encode", "_sendReady", "sink", "sinkValue", "values"]
            let tried = Set(ProbedOperator.all.map { String($0.description.prefix { $0 != " " }) })
            #expect(methods.subtracting(others).subtracting(tried) == [])
            #expect(methods.count > 60)
        }

        // MARK: Ends

        @Test("A current value subject whose value is set after the completion releases the old one without holding a lock")
        func valueAfterTheEnd() {
            Self.expectNone("CurrentValueSubject") { watch in
                let subject = CurrentValueSubject<Probe, ProbeError>(watch.probe(1))
                subject.value = watch.probe(2)
                subject.send(completion: .failure(watch.error(3)))
                for number in 4...6 { subject.value = watch.probe(number) }
                #expect(subject.value.number == 6)
                subject.send(watch.probe(7))
                #expect(subject.value.number == 6)
            }
        }

        @Test("A subject that is released while a subscriber has a pending value holds no lock while user code runs")
        func owed() {
            Self.expectNone("CurrentValueSubject") { watch in
                let taker = ProbeTaker(.none, watch)
                do {
                    let subject = CurrentValueSubject<Probe, ProbeError>(watch.probe(1))
                    subject.subscribe(taker)
                    subject.send(watch.probe(2))
                }
                taker.request(1)
                taker.cancel()
            }
        }

        @Test("A subject releases foreign subscriptions to its upstreams that have ended without holding a lock")
        func upstreams() {
            Self.expectNone("Upstreams") { watch in
                let subject = PassthroughSubject<Probe, ProbeError>()
                var feeding: [AnyCancellable] = []
                for _ in 0..<3 {
                    let control = HandmadeProbes.Control()
                    feeding.append(HandmadeProbes(watch: watch, control: control).prefix(1).subscribe(subject))
                    subject.send(subscription: Spent(body: watch.probe(9)))
                    feeding.last?.cancel()
                    feeding.removeAll()
                }
                subject.send(completion: .finished)
            }
        }

        private final class Spent: Subscription {
            let body: Probe
            init(body: Probe) { self.body = body }
            func request(_ demand: Subscribers.Demand) { body.pass(()) }
            func cancel() { body.pass(()) }
        }

        @Test("Sinks and assignments hold no lock while user code runs")
        func sinks() {
            final class Target { var probe: Probe? }
            Self.expectNone("sink, assign") { watch in
                let subject = CurrentValueSubject<Probe, Never>(watch.probe(1))
                let target = Target()
                let held = watch.probe(50)
                let subscriptions = [
                    subject.sink { _ in held.pass(()) }, subject.map { Optional($0) }.assign(to: \.probe, on: target),
                    AnyCancellable { held.pass(()) },
                ]
                subject.send(watch.probe(2))
                subscriptions[0].cancel()
                subscriptions[2].cancel()
                subject.send(completion: .finished)
            }
        }

        @Test("A future that is fulfilled, requested from and cancelled holds no lock while user code runs")
        func futures() {
            Self.expectNone("Future") { watch in
                for isLeft in [false, true] {
                    let promise = Shared<Future<Probe, ProbeError>.Promise?>(nil)
                    let future = Future<Probe, ProbeError> { promise.value = $0 }
                    let takers = [ProbeTaker(.max(1), watch), ProbeTaker(.none, watch)]
                    for taker in takers { future.subscribe(taker) }
                    if isLeft { takers[0].cancel() }
                    promise.value?(isLeft ? .failure(watch.error(1)) : .success(watch.probe(1)))
                    promise.value?(.success(watch.probe(2)))
                    for taker in takers { taker.cancel() }
                }
            }
        }

        @Test("A body of `run` that is cancelled before or after it has begun holds no lock while user code runs")
        func bodies() {
            Self.expectNone("run") { watch in
                for hasBegun in [false, true] {
                    let executor = SteppedExecutor()
                    let taker = ProbeTaker(.max(1), watch)
                    executor.here {
                        Probes.run { [held = watch.probe(50)] send throws(ProbeError) in
                            for number in 1...3 { send(held.plus(number)) }
                            throw ProbeError(probe: held)
                        }.subscribe(taker)
                    }
                    if hasBegun { executor.run() }
                    taker.cancel()
                    executor.run()
                }
            }
        }

        @Test("A loop over `values` that ends before it has read all values holds no lock while user code runs")
        func values() async {
            let watch = LockWatch()
            await Self.read(watch)
            #expect(watch.found == [])
        }

        private static func read(_ watch: LockWatch) async {
            // A publisher that sends more than was requested: the iterator came before its subscription, and was rejected.
            let control = HandmadeProbes.Control()
            var iterator: AsyncThrowingPublisher<HandmadeProbes>.Iterator? =
                HandmadeProbes(watch: watch, control: control).values.makeAsyncIterator()
            let executor = SteppedExecutor()
            let taken = Shared(iterator)
            let task = Task(executorPreference: executor) { _ = try? await taken.value?.next() }
            executor.run()
            control.send(watch.probe(1))
            executor.run()
            await task.value
            control.finish(.failure(watch.error(2)))
            (iterator, taken.value) = (nil, nil)
            // A value without a waiting iterator, because its iterator was rejected for coming too early.
            let early = Early(watch: watch)
            let reader = Shared(Optional(early.values.makeAsyncIterator()))
            let first = Task(executorPreference: executor) { _ = try? await reader.value?.next() }
            executor.run()
            early.control.value?()
            executor.run()
            await first.value
            reader.value = nil
        }

        /// Sends before its subscription, and then the requested values.
        private struct Early: Publisher {
            typealias Output = Probe
            typealias Failure = ProbeError
            let watch: LockWatch
            let control = Shared<(() -> Void)?>(nil)

            func receive<S: Subscriber>(subscriber: S) where S.Input == Probe, S.Failure == ProbeError {
                let held = Subscriptions.empty
                control.value = { [watch] in
                    _ = subscriber.receive(watch.probe(1))
                    subscriber.receive(subscription: held)
                    for number in 2...2 { _ = subscriber.receive(watch.probe(number)) }
                }
            }
        }
    }
}

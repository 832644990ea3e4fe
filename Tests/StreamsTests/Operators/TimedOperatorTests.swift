import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Operators with time")
struct TimedOperatorTests {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()

    @Test("An operator with time sends the same as its model, at the same tick", arguments: TimedCase.all)
    func model(_ operation: TimedCase) {
        check(operation, with: Budget.sample(Self.scripts, quick: 400, for: operation.description))
    }

    @Test(
        "An operator with time follows its model with intervals of zero, of less, and of more than is ever reached",
        arguments: TimedCase.unusual)
    func unusual(_ operation: TimedCase) {
        check(operation, with: Budget.sample(Self.shortScripts, quick: 60, for: operation.description))
    }

    private static let shortScripts = TimedCase.scripts(values: 2)
    #if THREAD_SANITIZER
        private static let scripts = shortScripts
    #else
        private static let scripts = TimedCase.scripts(values: 4)
    #endif

    private func check(_ operation: TimedCase, with scripts: [[Timed<TimedCase.Input>]]) {
        for script in scripts {
            let time = VirtualTimeScheduler()
            let subject = PassthroughSubject<Int, Oops>()
            let log = Log<Timed<TimedCase.Output>>()
            @Sendable func note(_ event: TimedCase.Output) { log.append(Timed(time.now.offset.nanoseconds, event)) }
            let cancellable = operation.apply(subject.eraseToAnyPublisher(), time).sink { completion in
                note(completion.error == nil ? .finish : .fail)
            } receiveValue: { value in
                note(.value(value))
            }
            for timed in script {
                time.advance(to: .init(offset: .nanoseconds(timed.time)))
                switch timed.event {
                case .value(let value): subject.send(value)
                case .finish: subject.send(completion: .finished)
                case .fail: subject.send(completion: .failure(.first))
                }
                time.advance()
            }
            time.advance(by: Ticks.nanoseconds(20))
            guard log.items == operation.model(script) else {
                Issue.record("\(operation): \(script) gave \(log.items), not \(operation.model(script))")
                return
            }
            cancellable.cancel()
            expectEqual(time.pending, 0, "\(operation): \(script)")
        }
    }

    @Test("A value that becomes due during a delivery is not replaced by a later one, but a pending value is")
    func dueMeanwhile() {
        let publishers = [
            subject.debounce(for: .nanoseconds(5), scheduler: time).eraseToAnyPublisher(),
            subject.throttle(for: .nanoseconds(5), scheduler: time, latest: true).eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let (subject, time) = (subject, time)
            let recorder = Recorder<Int, Oops> { _, value in
                guard value == 1 else { return }
                subject.send(2)
                time.advance(by: Ticks.nanoseconds(5))
                subject.send(3)
                subject.send(4)
            }
            publisher.subscribe(recorder)
            subject.send(1)
            time.advance(by: Ticks.nanoseconds(20))
            expectEqual(recorder.values, [1, 2, 4])
            recorder.cancel()
        }
    }

    @Test("An operator with time ignores events after the completion, which change no pending values", arguments: TimedCase.all)
    func afterTheCompletion(_ operation: TimedCase) {
        let results = [false, true].map { goesOn in
            let (time, probe, recorder) = (VirtualTimeScheduler(), Probe<Int, Oops>(isDeaf: true), Recorder<String, Oops>())
            operation.apply(probe.eraseToAnyPublisher(), time).map { "\($0)" }.subscribe(recorder)
            probe.send(1)
            probe.send(completion: .finished)
            if goesOn {
                probe.send(2)
                probe.send(completion: .failure(.first))
            }
            time.advance(by: Ticks.nanoseconds(20))
            expect(recorder.isFinished)
            expectEqual(recorder.violations, [])
            return recorder.values
        }
        expectEqual(results[0], results[1])
    }

    /// The ways in which a run ends.
    enum End: CaseIterable { case finish, fail, cancel, cancelInside, cancelAtStart }

    @Test(
        "An operator with time leaves nothing scheduled after its end or a cancellation, and releases the subscriber",
        arguments: TimedCase.all, End.allCases)
    func release(_ operation: TimedCase, _ end: End) {
        let probe = Probe<Int, Oops>()
        weak var subscriber: Recorder<String, Oops>?
        do {
            let recorder = Recorder<String, Oops> { recorder, _ in if end == .cancelInside { recorder.cancel() } }
            subscriber = recorder
            operation.apply(probe.eraseToAnyPublisher(), time).subscribe(recorder)
            if end == .cancelAtStart { recorder.cancel() }
            probe.sendOnDemand([1, 2])
            switch end {
            case .finish: probe.send(completion: .finished)
            case .fail: probe.send(completion: .failure(.first))
            case .cancel:
                recorder.cancel()
                expectEqual(time.pending, 0)
            case .cancelInside, .cancelAtStart: break
            }
            for _ in 1...3 { time.advance(by: TimedCase.span) }
            expectEqual(time.pending, 0)
            expectEqual(recorder.violations, [])
            expect(!probe.isSubscriptionAlive)
            expect(recorder.completions.count == (end == .finish || end == .fail ? 1 : 0))
        }
        expect(subscriber == nil)
    }

    @Test("An operator with time releases a pending value on cancellation", arguments: [false, true])
    func values(isDebounced: Bool) {
        let objects = PassthroughSubject<Token, Never>()
        let recorder = Recorder<Token, Never>()
        if isDebounced {
            objects.debounce(for: .seconds(1), scheduler: time).subscribe(recorder)
        } else {
            objects.throttle(for: .seconds(1), scheduler: time, latest: true).subscribe(recorder)
        }
        weak var token: Token?
        do {
            let value = Token()
            token = value
            objects.send(value)
        }
        expect(token != nil)
        recorder.cancel()
        expect(token == nil)
    }

    @Test("An operator with time drops events after its end, and cancels a second subscription", arguments: TimedCase.all)
    func grammar(_ operation: TimedCase) {
        let probe = Probe<Int, Oops>(isDeaf: true)
        let recorder = Recorder<String, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), time).subscribe(recorder)
        probe.subscribeAgain()
        expectEqual(probe.cancellations, 1)
        probe.send(completion: .finished)
        probe.send(1)
        probe.send(completion: .failure(.first))
        time.advance(by: Ticks.seconds(1))
        probe.send(2)
        time.advance(by: Ticks.seconds(1))
        expectEqual(recorder.values, [])
        expectEqual(recorder.completions, [.finished])
        expectEqual(recorder.violations, [])
    }

    @Test("An operator with time drops events before the subscription", arguments: TimedCase.all)
    func early(_ operation: TimedCase) {
        let recorder = Recorder<String, Oops>()
        operation.apply(Early().eraseToAnyPublisher(), time).subscribe(recorder)
        time.advance(by: TimedCase.span)
        expectEqual(recorder.violations, [])
        expect(recorder.completions.count <= 1)
    }

    @Test("An operator with time sends no value that was not requested", arguments: TimedCase.all, Appetite.all)
    func demand(_ operation: TimedCase, _ appetite: Appetite) {
        let recorder = Recorder<String, Oops>(appetite)
        let probe = Probe<Int, Oops>()
        operation.apply(probe.eraseToAnyPublisher(), time).subscribe(recorder)
        expect(!operation.asksForAll || probe.demand == .unlimited)
        for value in 1...12 {
            probe.sendOnDemand([value])
            time.advance(by: Ticks.nanoseconds(1))
            if value == 6 { recorder.requestLater() }
        }
        probe.send(completion: .finished)
        time.advance(by: Ticks.nanoseconds(9))
        expectEqual(recorder.violations, [])
    }

    @Test("An operator with time sends nothing after a cancellation during a delivery", arguments: TimedCase.all)
    func cancelInside(_ operation: TimedCase) {
        let recorder = Recorder<String, Oops> { recorder, _ in recorder.cancel() }
        operation.apply(subject.eraseToAnyPublisher(), time).subscribe(recorder)
        for value in 1...6 {
            subject.send(value)
            time.advance(by: Ticks.nanoseconds(value % 3))
        }
        subject.send(completion: .finished)
        time.advance(by: Ticks.nanoseconds(9))
        expectEqual(recorder.values.count, 1)
        expectEqual(recorder.completions, [])
        expectEqual(time.pending, 0)
    }

    @Test("An operator with time delivers a value that is sent during a delivery after it", arguments: TimedCase.all)
    func reentrant(_ operation: TimedCase) {
        let subject = subject
        let recorder = Recorder<String, Oops> { recorder, _ in
            if recorder.values.count < 4 { subject.send(7) }
        }
        operation.apply(subject.eraseToAnyPublisher(), time).subscribe(recorder)
        subject.send(1)
        time.advance(by: Ticks.nanoseconds(8))
        subject.send(completion: .finished)
        time.advance(by: Ticks.nanoseconds(8))
        expect(recorder.values.count > 1)
        expectEqual(recorder.completions.count, 1)
        expectEqual(recorder.violations, [])
    }

    @Test("Operators on a concurrent queue deliver one value at a time, in order")
    func concurrent() async throws {
        let queue = DispatchQueue(label: "tests", attributes: .concurrent)
        let operators: [@Sendable (Ints) -> Ints] = [
            { $0.receive(on: queue).eraseToAnyPublisher() },
            { $0.delay(for: .nanoseconds(1), scheduler: queue).eraseToAnyPublisher() },
            { $0.timeout(.seconds(1000), scheduler: queue).eraseToAnyPublisher() },
            { $0.debounce(for: .nanoseconds(1), scheduler: queue).eraseToAnyPublisher() },
            { $0.throttle(for: .nanoseconds(1), scheduler: queue, latest: true).eraseToAnyPublisher() },
            {
                $0.collect(.byTimeOrCount(queue, .microseconds(10), 3)).flatMap { OperatorCase.sequence($0) }
                    .eraseToAnyPublisher()
            },
            { $0.subscribe(on: queue).eraseToAnyPublisher() },
        ]
        let count = Budget.size(2_000, quick: 500)
        for (index, apply) in operators.enumerated() {
            let done = Flag()
            let recorder = Recorder<Int, Oops>()
            apply(OperatorCase.sequence(Array(1...count)).eraseToAnyPublisher()).handleEvents(
                receiveCompletion: { _ in done.raise() }
            ).subscribe(recorder)
            await done.wait()
            // The end is reported before the recorder receives it, by the same thread.
            try await until { !recorder.completions.isEmpty }
            expectEqual(recorder.violations, [], "\(index)")
            expectEqual(recorder.values, recorder.values.sorted(), "\(index)")
            if ![3, 4].contains(index) { expectEqual(recorder.values, Array(1...count), "\(index)") }
        }
    }

    @Test(
        "Operators with time that another thread cancels while values become due obey the contract, and release the subscriber",
        arguments: 0..<Budget.rounds(20, least: 5))
    func race(round: Int) async throws {
        let queue = DispatchQueue(label: "tests", attributes: .concurrent)
        for apply in [
            { @Sendable in $0.delay(for: .nanoseconds(1), scheduler: queue).eraseToAnyPublisher() },
            { $0.debounce(for: .nanoseconds(1), scheduler: queue).eraseToAnyPublisher() },
            { $0.throttle(for: .nanoseconds(1), scheduler: queue, latest: false).eraseToAnyPublisher() },
            { $0.timeout(.nanoseconds(1), scheduler: queue).eraseToAnyPublisher() },
            { $0.collect(.byTime(queue, .nanoseconds(1))).map(\.count).eraseToAnyPublisher() },
        ] as [@Sendable (Ints) -> Ints] {
            let subject = PassthroughSubject<Int, Oops>()
            weak var subscriber: Recorder<Int, Oops>?
            do {
                let recorder = Recorder<Int, Oops>()
                subscriber = recorder
                apply(subject.eraseToAnyPublisher()).subscribe(recorder)
                await withTaskGroup { group in
                    group.addTask { for value in 1...50 { subject.send(value) } }
                    group.addTask { recorder.cancel() }
                }
                expectEqual(recorder.violations, [])
            }
            // Once all scheduled actions have run, the subscriber is released.
            try await until {
                await withCheckedContinuation { done in queue.async(flags: .barrier) { done.resume() } }
                return subscriber == nil
            }
        }
    }
}

@Suite("Schedulers that cannot cancel scheduled actions")
struct StubbornSchedulerTests {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Oops>()

    @Test("`throttle` sends a value at the end of the interval, or as soon as possible if that is just over", arguments: [3, 4])
    func throttleJustOver(ticks: Int) {
        let scheduler = StubbornScheduler(time: time)
        let recorder = Recorder<Int, Oops>()
        subject.throttle(for: .nanoseconds(4), scheduler: scheduler, latest: true).subscribe(recorder)
        subject.send(1)
        time.advance(by: Ticks.nanoseconds(ticks))
        subject.send(2)
        let date = VirtualTimeScheduler.SchedulerTimeType(offset: .nanoseconds(4))
        expectEqual(scheduler.dates.items, [nil, ticks == 4 ? nil : date])
        time.advance(by: Ticks.nanoseconds(4))
        expectEqual(recorder.values, [1, 2])
    }

    @Test("An operator ignores scheduled actions that it no longer needs", arguments: [false, true])
    func stubborn(cancels: Bool) {
        let scheduler = StubbornScheduler(time: time)
        let operators: [(Ints, expected: [Int])] = [
            (subject.debounce(for: .nanoseconds(4), scheduler: scheduler).eraseToAnyPublisher(), [3]),
            (subject.delay(for: .nanoseconds(4), scheduler: scheduler).eraseToAnyPublisher(), [1, 2, 3]),
            (subject.receive(on: scheduler).eraseToAnyPublisher(), [1, 2, 3]),
            (subject.throttle(for: .nanoseconds(4), scheduler: scheduler, latest: true).eraseToAnyPublisher(), [1, 3]),
            (subject.timeout(.nanoseconds(4), scheduler: scheduler).eraseToAnyPublisher(), [1, 2, 3]),
            (
                subject.collect(.byTime(scheduler, .nanoseconds(4))).flatMap { OperatorCase.sequence($0) }
                    .eraseToAnyPublisher(), [1, 2, 3]
            ),
        ]
        var recorders: [Recorder<Int, Oops>] = []
        for (publisher, _) in operators {
            recorders.append(Recorder())
            publisher.subscribe(recorders.last!)
        }
        for value in 1...3 {
            subject.send(value)
            time.advance(by: Ticks.nanoseconds(1))
        }
        if cancels {
            let before = recorders.map(\.values)
            for recorder in recorders { recorder.cancel() }
            time.advance(by: Ticks.nanoseconds(20))
            expectEqual(recorders.map(\.values), before)
        } else {
            time.advance(by: Ticks.nanoseconds(20))
            expectEqual(recorders.map(\.values), operators.map(\.expected))
        }
        expectEqual(recorders.flatMap(\.violations), [])
    }
}

/// A scheduler that runs all scheduled closures, even cancelled ones.
private struct StubbornScheduler: Scheduler {
    typealias SchedulerOptions = Never
    typealias Time = VirtualTimeScheduler.SchedulerTimeType
    let time: VirtualTimeScheduler
    let timers = Log<AnyCancellable>()
    /// The times of the closures; nil for as soon as possible.
    let dates = Log<Time?>()
    var now: Time { time.now }
    var minimumTolerance: TimeStride { 0 }
    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
        dates.append(nil)
        time.schedule(options: nil, action)
    }
    func schedule(
        after date: Time, tolerance: TimeStride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) {
        dates.append(date)
        time.schedule(after: date, tolerance: tolerance, options: nil, action)
    }
    func schedule(
        after date: Time, interval: TimeStride, tolerance: TimeStride, options: Never?,
        _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        timers.append(AnyCancellable(time.schedule(after: date, interval: interval, action)))
        return Subscriptions.empty
    }
}

/// A publisher that sends and completes before it sends the subscription.
struct Early: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = Oops
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
        _ = subscriber.receive(1)
        subscriber.receive(completion: .finished)
        subscriber.receive(subscription: Subscriptions.empty)
    }
}

import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Contract, rule 9: async/await in both directions")
struct AsyncTests {
    // MARK: values

    @Test("`for await` over `values` receives the values in order, and ends when the publisher completes")
    func values() async {
        var seen: [Int] = []
        for await value in [1, 2, 3].publisher.map({ $0 * 2 }).values { seen.append(value) }
        expectEqual(seen, [2, 4, 6])
    }

    @Test("Each step of a loop over `values` requests one value, so that the publisher never runs ahead of the loop")
    func backPressure() async {
        let made = Log<Int>()
        // Long enough to be endless, but the test ends if it fails.
        let long = (0..<100_000).publisher.handleEvents(receiveOutput: { made.append($0) })
        var seen: [Int] = []
        for await value in long.values {
            expectEqual(made.items.count, value + 1)
            seen.append(value)
            if value == 4 { break }
        }
        expectEqual(seen, [0, 1, 2, 3, 4])
        expectEqual(made.items, seen)
    }

    @Test("An iterator of `values` subscribes when it is created, and requests one value for each step")
    func asksLate() async {
        let events = Log<String>()
        let sequence = [5, 6].publisher.handleEvents(
            receiveSubscription: { _ in events.append("subscribed") }, receiveRequest: { events.append("\($0)") }
        ).values
        expectEqual(events.items, [])
        var iterator = sequence.makeAsyncIterator()
        expectEqual(events.items, ["subscribed"])
        await expectEqual(iterator.next(), 5)
        expectEqual(events.items, ["subscribed", "max(1)"])
        await expectEqual(iterator.next(), 6)
        expectEqual(events.items, ["subscribed", "max(1)", "max(1)"])
        await expect(iterator.next() == nil)
    }

    @Test("A step of `values` that is taken before the subscription arrives requests one value")
    func asksBefore() {
        let (events, seen, time, executor) = (Log<String>(), Log<Int?>(), VirtualTimeScheduler(), SteppedExecutor())
        let sequence = [5, 6].publisher.handleEvents(receiveRequest: { events.append("\($0)") }).subscribe(on: time).values
        Task(executorPreference: executor) {
            var iterator = sequence.makeAsyncIterator()
            seen.append(await iterator.next())
        }
        executor.run()
        expectEqual(events.items, [])
        time.advance()
        executor.run()
        expectEqual(events.items, ["max(1)"])
        expectEqual(seen.items, [5])
    }

    @Test("A loop over the `values` of a current value subject gets the newest value at each step")
    func newest() async {
        let subject = CurrentValueSubject<Int, Never>(0)
        var iterator = subject.values.makeAsyncIterator()
        await expectEqual(iterator.next(), 0)
        for number in 1...1000 { subject.send(number) }
        await expectEqual(iterator.next(), 1000)
    }

    /// Returns the values that a loop receives of a burst of ten values, after one earlier value.
    private func burst(_ policy: AsyncStream<Int>.Continuation.BufferingPolicy) async -> [Int] {
        let subject = CurrentValueSubject<Int, Never>(0)
        var iterator = subject.values(bufferingPolicy: policy).makeAsyncIterator()
        var seen = [await iterator.next()]
        for number in 1...10 { subject.send(number) }
        subject.send(completion: .finished)
        while let next = await iterator.next() { seen.append(next) }
        return seen.compactMap { $0 }
    }

    @Test("`values` with an unbounded buffer receives every value of a burst")
    func unbounded() async { await expectEqual(burst(.unbounded), Array(0...10)) }

    @Test("`values` that buffers the newest values receives the last values of a burst")
    func bufferingNewest() async { await expectEqual(burst(.bufferingNewest(3)), [0, 8, 9, 10]) }

    @Test("`values` that buffers the oldest values receives the first values of a burst")
    func bufferingOldest() async { await expectEqual(burst(.bufferingOldest(3)), [0, 1, 2, 3]) }

    @Test("`values` with a buffer limit of zero or less buffers one value", arguments: [0, -1])
    func bufferingNothing(limit: Int) async { await expectEqual(burst(.bufferingNewest(limit)), [0, 10]) }

    @Test("`values` with a buffer delivers the buffered values of a failed publisher before its error")
    func bufferedError() async {
        struct Broken: Error, Equatable {}
        let subject = PassthroughSubject<Int, Broken>()
        var iterator = subject.values(bufferingPolicy: .unbounded).makeAsyncIterator()
        subject.send(1)
        subject.send(2)
        do {
            try await expectEqual(iterator.next(), 1)
            try await expectEqual(iterator.next(), 2)
            subject.send(completion: .failure(Broken()))
            _ = try await iterator.next()
            Issue.record("no error")
        } catch { expectEqual(error, Broken()) }
    }

    @Test("An iterator of `values` that is released cancels its subscription")
    func released() async {
        let probe = Probe<Int, Never>()
        do {
            var iterator: AsyncPublisher<Probe<Int, Never>>.Iterator? = probe.values.makeAsyncIterator()
            expect(iterator != nil)
            iterator = nil
        }
        expectEqual(probe.cancellations, 1)
    }

    @Test("A loop over `values` ends when its task is cancelled, and cancels its subscription")
    func taskCancelled() async throws {
        let probe = Probe<Int, Never>()
        let task = Task {
            var seen: [Int] = []
            for await value in probe.values { seen.append(value) }
            return seen
        }
        try await until { probe.requests.count == 1 }
        probe.send(1)
        try await until { probe.requests.count == 2 }
        task.cancel()
        await expectEqual(task.value, [1])
        expectEqual(probe.cancellations, 1)
    }

    @Test("`values` delivers values that arrived before a failure, and then throws the error once")
    func failureComesLast() async throws {
        let probe = Probe<Int, Oops>()
        let task = Task {
            var iterator = probe.values.makeAsyncIterator()
            let value = try await iterator.next()
            try await until { !probe.isSubscriptionAlive }
            var thrown: [Oops] = []
            do throws(Oops) { _ = try await iterator.next() } catch { thrown.append(error) }
            let end = try await iterator.next()
            return (value, thrown, end)
        }
        try await until { probe.requests.count == 1 }
        probe.send(1)
        probe.send(completion: .failure(.second))
        let (value, thrown, end) = try await task.value
        expectEqual(value, 1)
        expectEqual(thrown, [.second])
        expect(end == nil)
    }

    @Test("A pending step of `values` throws the publisher's error once, and each later step returns nil")
    func failureOfOneWhoWaits() async throws {
        let probe = Probe<Int, Oops>()
        let task = Task {
            var iterator = probe.values.makeAsyncIterator()
            var steps: [String] = []
            for _ in 0..<3 {
                do throws(Oops) { steps.append(try await iterator.next().map { "\($0)" } ?? "nil") } catch {
                    steps.append("\(error)")
                }
            }
            return steps
        }
        try await until { probe.requests.count == 1 }
        probe.send(completion: .failure(.second))
        await expectEqual(task.value, ["second", "nil", "nil"])
    }

    /// The pending steps of two readers of one iterator; the first has waited longer.
    private func twoReaders<Failure>(of probe: Probe<Int, Failure>, _ send: () -> Void) async throws -> [String] {
        let iterator = Carrier(probe.values.makeAsyncIterator())
        let read: @Sendable () async -> String = {
            var own = iterator.value
            do { return try await own.next().map { "\($0)" } ?? "nil" } catch { return "\(error)" }
        }
        let first = Task(operation: read)
        try await until { probe.requests.count == 1 }
        let second = Task(operation: read)
        try await until { probe.requests.count == 2 }
        send()
        return [await first.value, await second.value]
    }

    @Test("The step of `values` that has waited longer receives the first of two values")
    func twoWaitForValues() async throws {
        let probe = Probe<Int, Oops>()
        let steps = try await twoReaders(of: probe) { for value in 1...2 { probe.send(value) } }
        expectEqual(steps, ["1", "2"])
    }

    @Test(
        "The step of `values` that has waited longer throws the publisher's error, and the other one returns nil",
        arguments: [nil, Oops.second])
    func twoWaitForTheEnd(_ error: Oops?) async throws {
        let probe = Probe<Int, Oops>()
        let steps = try await twoReaders(of: probe) { probe.send(completion: error.map { .failure($0) } ?? .finished) }
        expectEqual(steps, [error.map { "\($0)" } ?? "nil", "nil"])
    }

    @Test("Two loops over the `values` of one publisher are two subscriptions")
    func twoLoops() async {
        let values = [1, 2].publisher.values
        for _ in 0..<2 {
            var seen: [Int] = []
            for await value in values { seen.append(value) }
            expectEqual(seen, [1, 2])
        }
    }

    // MARK: run

    @Test("A value that is sent after the body of `run` has returned is dropped, even while earlier values wait for demand")
    func sentAfterTheBody() async throws {
        final class Witness: Sendable {}
        let kept = Lock<Send<Int>?>(nil)
        let recorder = Recorder<Int, Never>(.nothing)
        weak var witness: Witness?
        do {
            let made = Witness()
            witness = made
            AnyPublisher<Int, Never>.run { send in
                send(1)
                kept.withLock { $0 = send }
                withExtendedLifetime(made) {}
            }.subscribe(recorder)
        }
        // It is released with the body.
        try await until { witness == nil }
        kept.withLock { $0 }?(2)
        recorder.request(.unlimited)
        expectEqual(recorder.values, [1])
        expect(recorder.isFinished)
    }

    @Test("`run` delivers the values of its body in order, and completes when the body returns")
    func run() async {
        let publisher = Ints.run { send in
            for value in 1...3 {
                send(value)
                await Task.yield()
            }
        }
        let (recorder, done) = record(publisher)
        await done.wait()
        expectEqual(recorder.values, [1, 2, 3])
        expect(recorder.isFinished)
        expectEqual(recorder.violations, [])
    }

    @Test("`run` starts a body for each subscriber")
    func runTwice() async {
        let runs = Log<Int>()
        let publisher = Ints.run { send in
            runs.append(1)
            send(runs.items.count)
        }
        expectEqual(runs.items, [])
        let (first, firstDone) = record(publisher)
        await firstDone.wait()
        let (second, secondDone) = record(publisher)
        await secondDone.wait()
        expectEqual(first.values, [1])
        expectEqual(second.values, [2])
    }

    @Test("Cancelling a subscription to `run` cancels the task, and values that are sent later are dropped")
    func runCancelled() async {
        let (started, ended) = (Flag(), Flag())
        let publisher = Ints.run { send in
            send(1)
            await withTaskCancellationHandler {
                started.raise()
                await ended.wait()
            } onCancel: {
                ended.raise()
            }
            expect(Task.isCancelled)
            send(2)
            ended.raise()
        }
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        await started.wait()
        recorder.cancel()
        await ended.wait()
        expectEqual(recorder.values, [1])
        expectEqual(recorder.completions, [])
    }

    @Test("Values and the completion of a body of `run` wait for demand", arguments: [false, true])
    func runKeeps(fails: Bool) async throws {
        let ended = Flag()
        let publisher = Ints.run { send async throws(Oops) in
            for value in 1...3 { send(value) }
            ended.raise()
            if fails { throw .second }
        }
        let completed = Flag()
        let recorder = Recorder<Int, Oops>(.nothing)
        publisher.handleEvents(receiveCompletion: { _ in completed.raise() }).subscribe(recorder)
        await ended.wait()
        expectEqual(recorder.values, [])
        recorder.request(.max(1))
        try await until { recorder.values.count == 1 || !recorder.completions.isEmpty }
        recorder.request(.unlimited)
        await completed.wait()
        expectEqual(recorder.values, [1, 2, 3])
        expectEqual(recorder.completions, [fails ? .failure(.second) : .finished])
        expectEqual(recorder.violations, [])
    }

    @Test("A value that is sent after `run` has completed is dropped")
    func sentAfterTheEnd() async {
        let kept = Lock<Send<Int>?>(nil)
        let (recorder, done) = record(.run { send in kept.withLock { $0 = send } })
        await done.wait()
        kept.withLock { $0 }?(5)
        expectEqual(recorder.values, [])
        expectEqual(recorder.violations, [])
    }

    @Test("A subscription to `run` that has ended retains nothing of its body")
    func runReleased() async throws {
        weak var token: Token?
        let recorder: Recorder<Int, Oops>
        let done: Flag
        do {
            let captured = Token()
            token = captured
            (recorder, done) = record(.run { send in send(captured.pass(1)) })
        }
        await done.wait()
        expectEqual(recorder.values, [1])
        try await until { token == nil }
    }

    @Test("Values of `run` that pass through `values` and another `run` arrive unchanged")
    func roundTrip() async throws {
        let numbers = Ints.run { send in for value in 0..<100 { send(value) } }
        let again = Ints.run { send async throws(Oops) in
            var iterator = numbers.values.makeAsyncIterator()
            while let value = try await iterator.next() { send(value + 1) }
        }
        var sum = 0
        for try await value in again.values { sum += value }
        expectEqual(sum, 5_050)
    }

    private func record(_ publisher: Ints) -> (Recorder<Int, Oops>, Flag) {
        let done = Flag()
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(
            AnySubscriber(
                receiveSubscription: { recorder.receive(subscription: $0) },
                receiveValue: { recorder.receive($0) },
                receiveCompletion: {
                    recorder.receive(completion: $0)
                    done.raise()
                }))
        return (recorder, done)
    }
}

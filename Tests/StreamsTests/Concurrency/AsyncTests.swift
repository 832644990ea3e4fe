import Dispatch
import MoonlightTestSupport
import Streams
import Testing

@Suite("Rule 9: async/await, both ways", .timeLimit(.minutes(20)))
struct AsyncTests {
    // MARK: values

    @Test("the values of a publisher arrive in order, and the loop ends with it")
    func values() async {
        var seen: [Int] = []
        for await value in [1, 2, 3].publisher.map({ $0 * 2 }).values { seen.append(value) }
        #expect(seen == [2, 4, 6])
    }

    @Test("each step asks for one value, so that a publisher of any length never runs ahead")
    func backPressure() async {
        let made = Log<Int>()
        // As good as endless, and yet the test ends if it fails.
        let long = (0..<100_000).publisher.handleEvents(receiveOutput: { made.append($0) })
        var seen: [Int] = []
        for await value in long.values {
            #expect(made.items.count == value + 1)
            seen.append(value)
            if value == 4 { break }
        }
        #expect(seen == [0, 1, 2, 3, 4])
        #expect(made.items == seen)
    }

    @Test("an iterator subscribes when it is made and asks for one value at each step")
    func asksLate() async {
        let events = Log<String>()
        let sequence = [5, 6].publisher.handleEvents(
            receiveSubscription: { _ in events.append("subscribed") }, receiveRequest: { events.append("\($0)") }
        ).values
        #expect(events.items == [])
        var iterator = sequence.makeAsyncIterator()
        #expect(events.items == ["subscribed"])
        #expect(await iterator.next() == 5)
        #expect(events.items == ["subscribed", "max(1)"])
        #expect(await iterator.next() == 6)
        #expect(events.items == ["subscribed", "max(1)", "max(1)"])
        #expect(await iterator.next() == nil)
    }

    @Test("one value is asked for also if a step is taken before the subscription arrives")
    func asksBefore() {
        let (events, seen, time, executor) = (Log<String>(), Log<Int?>(), VirtualTimeScheduler(), ToldExecutor())
        let sequence = [5, 6].publisher.handleEvents(receiveRequest: { events.append("\($0)") }).subscribe(on: time).values
        Task(executorPreference: executor) {
            var iterator = sequence.makeAsyncIterator()
            seen.append(await iterator.next())
        }
        executor.run()
        #expect(events.items == [])
        time.advance()
        executor.run()
        #expect(events.items == ["max(1)"])
        #expect(seen.items == [5])
    }

    @Test("the values of a subject are the newest at each step")
    func newest() async {
        let subject = CurrentValueSubject<Int, Never>(0)
        var iterator = subject.values.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        for number in 1...1000 { subject.send(number) }
        #expect(await iterator.next() == 1000)
    }

    /// What a step-by-step reader gets of a burst of ten values, and the value that was there before it.
    private func burst(_ policy: AsyncStream<Int>.Continuation.BufferingPolicy) async -> [Int] {
        let subject = CurrentValueSubject<Int, Never>(0)
        var iterator = subject.values(bufferingPolicy: policy).makeAsyncIterator()
        var seen = [await iterator.next()]
        for number in 1...10 { subject.send(number) }
        subject.send(completion: .finished)
        while let next = await iterator.next() { seen.append(next) }
        return seen.compactMap { $0 }
    }

    @Test("buffered without a bound, no value of a burst is missed")
    func unbounded() async { #expect(await burst(.unbounded) == Array(0...10)) }

    @Test("buffered with a bound, the newest of a burst are kept")
    func bufferingNewest() async { #expect(await burst(.bufferingNewest(3)) == [0, 8, 9, 10]) }

    @Test("buffered with a bound, the oldest of a burst are kept")
    func bufferingOldest() async { #expect(await burst(.bufferingOldest(3)) == [0, 1, 2, 3]) }

    @Test("a bound of zero or less is one", arguments: [0, -1])
    func bufferingNothing(limit: Int) async { #expect(await burst(.bufferingNewest(limit)) == [0, 10]) }

    @Test("buffered, the values of a publisher that fails are followed by its error")
    func bufferedError() async {
        struct Broken: Error, Equatable {}
        let subject = PassthroughSubject<Int, Broken>()
        var iterator = subject.values(bufferingPolicy: .unbounded).makeAsyncIterator()
        subject.send(1)
        subject.send(2)
        do {
            #expect(try await iterator.next() == 1)
            #expect(try await iterator.next() == 2)
            subject.send(completion: .failure(Broken()))
            _ = try await iterator.next()
            Issue.record("no error")
        } catch { #expect(error == Broken()) }
    }

    @Test("an iterator that is released cancels the subscription")
    func released() async {
        let probe = Probe<Int, Never>()
        do {
            var iterator: AsyncPublisher<Probe<Int, Never>>.Iterator? = probe.values.makeAsyncIterator()
            #expect(iterator != nil)
            iterator = nil
        }
        #expect(probe.cancellations == 1)
    }

    @Test("a loop whose task is cancelled ends, and its subscription is cancelled")
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
        #expect(await task.value == [1])
        #expect(probe.cancellations == 1)
    }

    @Test("values that came before a failure are handed out before it is thrown, once")
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
        #expect(value == 1)
        #expect(thrown == [.second])
        #expect(end == nil)
    }

    @Test("an error that a waiting reader is given is thrown to nobody else: after it the sequence is over")
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
        #expect(await task.value == ["second", "nil", "nil"])
    }

    /// The steps of two readers of one iterator that wait for a value; the first has waited for longer.
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

    @Test("of two readers that wait, the one that has waited for longer is given the first value")
    func twoWaitForValues() async throws {
        let probe = Probe<Int, Oops>()
        let steps = try await twoReaders(of: probe) { for value in 1...2 { probe.send(value) } }
        #expect(steps == ["1", "2"])
    }

    @Test("of two readers that wait, one is given the error, and the other the end", arguments: [nil, Oops.second])
    func twoWaitForTheEnd(_ error: Oops?) async throws {
        let probe = Probe<Int, Oops>()
        let steps = try await twoReaders(of: probe) { probe.send(completion: error.map { .failure($0) } ?? .finished) }
        #expect(steps == [error.map { "\($0)" } ?? "nil", "nil"])
    }

    @Test("two loops over the values of one publisher are two subscriptions")
    func twoLoops() async {
        let values = [1, 2].publisher.values
        for _ in 0..<2 {
            var seen: [Int] = []
            for await value in values { seen.append(value) }
            #expect(seen == [1, 2])
        }
    }

    // MARK: run

    @Test("what is sent after the body has ended is dropped, also while values of it wait to be asked for")
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
        // It is let go of with the body.
        try await until { witness == nil }
        kept.withLock { $0 }?(2)
        recorder.request(.unlimited)
        #expect(recorder.values == [1])
        #expect(recorder.isFinished)
    }

    @Test("what the body of run sends arrives in order, and its end is the end")
    func run() async {
        let publisher = Ints.run { send in
            for value in 1...3 {
                send(value)
                await Task.yield()
            }
        }
        let (recorder, done) = record(publisher)
        await done.wait()
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.isFinished)
        #expect(recorder.violations == [])
    }

    @Test("each subscriber of run gets a body of its own")
    func runTwice() async {
        let runs = Log<Int>()
        let publisher = Ints.run { send in
            runs.append(1)
            send(runs.items.count)
        }
        #expect(runs.items == [])
        let (first, firstDone) = record(publisher)
        await firstDone.wait()
        let (second, secondDone) = record(publisher)
        await secondDone.wait()
        #expect(first.values == [1])
        #expect(second.values == [2])
    }

    @Test("cancelling the subscription cancels the task, and what is sent after that is dropped")
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
            #expect(Task.isCancelled)
            send(2)
            ended.raise()
        }
        let recorder = Recorder<Int, Oops>()
        publisher.subscribe(recorder)
        await started.wait()
        recorder.cancel()
        await ended.wait()
        #expect(recorder.values == [1])
        #expect(recorder.completions == [])
    }

    @Test("a run cancelled while it is subscribed to does not start")
    func runNeverStarted() async {
        let started = Log<Int>()
        let publisher = Ints.run { _ in started.append(1) }
        publisher.subscribe(AnySubscriber(receiveSubscription: { $0.cancel() }))
        let (_, done) = record(.run { _ in await Task.yield() })
        await done.wait()
        #expect(started.items == [])
    }

    @Test("values that run has sent wait for demand", arguments: [false, true])
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
        #expect(recorder.values == [])
        recorder.request(.max(1))
        try await until { recorder.values.count == 1 || !recorder.completions.isEmpty }
        recorder.request(.unlimited)
        await completed.wait()
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.completions == [fails ? .failure(.second) : .finished])
        #expect(recorder.violations == [])
    }

    @Test("a value sent after the body has ended is dropped")
    func sentAfterTheEnd() async {
        let kept = Lock<Send<Int>?>(nil)
        let (recorder, done) = record(.run { send in kept.withLock { $0 = send } })
        await done.wait()
        kept.withLock { $0 }?(5)
        #expect(recorder.values == [])
        #expect(recorder.violations == [])
    }

    @Test("a run that has ended keeps nothing of its body")
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
        #expect(recorder.values == [1])
        try await until { token == nil }
    }

    @Test("the values of a run make a round trip through async and back")
    func roundTrip() async throws {
        let numbers = Ints.run { send in for value in 0..<100 { send(value) } }
        let again = Ints.run { send async throws(Oops) in
            var iterator = numbers.values.makeAsyncIterator()
            while let value = try await iterator.next() { send(value + 1) }
        }
        var sum = 0
        for try await value in again.values { sum += value }
        #expect(sum == 5_050)
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

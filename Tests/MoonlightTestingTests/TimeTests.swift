import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// Virtual time, which advances only on request.
struct TimeTests {
    @Test("A sleep on a virtual clock ends at its time, and not before")
    func sleeps() async throws {
        let time = VirtualTimeScheduler()
        let clock = VirtualClock(time)
        let woken = Recorder<Int>()
        let task = AnyPublisher<Int, any Error>.run { send in
            try await clock.sleep(for: .seconds(2))
            send(2)
        }
        .sink(receiveCompletion: { _ in }, receiveValue: { woken.append($0) })
        try await until { time.pending > 0 }
        time.advance(by: .milliseconds(1999))
        expectEqual(time.pending, 1)
        expectEqual(clock.now.duration(to: VirtualClock.Instant(TimePoint(offset: 2))), .milliseconds(1))
        withExtendedLifetime(task) {}
    }

    @Test("A virtual clock has its scheduler's time, to the nanosecond")
    func virtualTime() {
        let time = VirtualTimeScheduler(now: TimePoint(offset: 7))
        let clock = VirtualClock(time)
        let later = clock.now.advanced(by: .nanoseconds(1))
        expectEqual(clock.now.point, TimePoint(offset: 7))
        expect(clock.now < later)
        expect(!(later < later))
        expectEqual(clock.now.duration(to: later), .nanoseconds(1))
        expectEqual(clock.minimumResolution, .nanoseconds(1))
    }

    @Test("A cancelled sleep throws and leaves no timer, even if its deadline passes afterwards", arguments: [false, true])
    func cancelledSleep(isAsleep: Bool) async throws {
        let time = VirtualTimeScheduler()
        let isOver = Lock(false)
        let task = Task {
            defer { isOver.withLock { $0 = true } }
            if !isAsleep { withUnsafeCurrentTask { $0?.cancel() } }
            try await VirtualClock(time).sleep(for: .seconds(2))
        }
        if isAsleep {
            try await until { time.pending > 0 }
            task.cancel()
            expectEqual(time.pending, 0)
        }
        // A sleep that had missed its cancellation would end now, without an error.
        for _ in 0..<100_000 where !isOver.withLock({ $0 }) {
            time.advance(by: 2)
            await Task.yield()
        }
        guard isOver.withLock({ $0 }) else {
            Issue.record("it sleeps on")
            return
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        expectEqual(time.pending, 0)
    }

    @Test("A type-erased scheduler behaves like its base")
    func anyScheduler() {
        let time = VirtualTimeScheduler()
        let hidden = time.eraseToAnyScheduler()
        let ran = Recorder<String>()
        hidden.schedule { ran.append("soon") }
        hidden.schedule(after: hidden.now.advanced(by: 1)) { ran.append("later") }
        let again = hidden.schedule(interval: 2) { ran.append("again") }
        let once = hidden.schedule(once: hidden.now.advanced(by: 3), tolerance: nil, options: nil) {
            ran.append("once")
        }
        time.advance(by: 2)
        expectEqual(ran.values, ["soon", "later", "again"])
        once?.cancel()
        time.advance(by: 2)
        expectEqual(ran.values, ["soon", "later", "again", "again"])
        again.cancel()
        expectEqual(time.pending, 0)
        expectEqual(hidden.minimumTolerance, 0)
    }

    @Test("A type-erased scheduler treats unusual intervals like its base")
    func anySchedulerIntervals() {
        for interval in [TimeStride.zero, .nanoseconds(-1), .nanoseconds(.min)] {
            let time = VirtualTimeScheduler()
            let ran = Recorder<Int>()
            let timer = time.eraseToAnyScheduler().schedule(interval: interval) { ran.append(time.now.offset.nanoseconds) }
            time.advance(by: .nanoseconds(2))
            expectEqual(ran.values, [0, 1, 2])
            timer.cancel()
        }
        let time = VirtualTimeScheduler()
        let hidden = time.eraseToAnyScheduler()
        let timer = hidden.schedule(interval: .seconds(Int.max)) { Issue.record("never is now") }
        hidden.schedule(after: hidden.now.advanced(by: .nanoseconds(.max))) { Issue.record("never is now") }
        time.advance(by: .nanoseconds(.max))
        expectEqual(time.pending, 0)
        timer.cancel()
    }

    @Test("A sleep on a virtual clock for longer than representable lasts until it is cancelled")
    func endlessSleep() async {
        let time = VirtualTimeScheduler()
        let clock = VirtualClock(time)
        for duration in [Duration.seconds(Int64.max), .nanoseconds(Int64.max)] {
            let task = Task { try await clock.sleep(for: duration) }
            time.advance(by: .nanoseconds(.max))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        expectEqual(time.pending, 0)
        expect(clock.now.advanced(by: .seconds(Int64.max)).duration(to: clock.now) <= .zero)
    }

    @Test("A sleep on a virtual clock for no time, or a negative one, ends at once", arguments: [0, -1, Int64.min])
    func noSleep(seconds: Int64) async throws {
        let time = VirtualTimeScheduler()
        let woken = Recorder<Int>()
        let sleeper = AnyPublisher<Int, any Error>.run { send in
            try await VirtualClock(time).sleep(for: .seconds(seconds))
            send(1)
        }
        .sink(receiveCompletion: { _ in }, receiveValue: { woken.append($0) })
        try await until { time.pending > 0 }
        time.advance()
        try await until { !woken.values.isEmpty }
        withExtendedLifetime(sleeper) {}
    }

    @Test("A plan may advance by more time than is representable")
    func endlessPlan() throws {
        let reducer = Reducer<Int, Int, Int, CounterEnvironment>(
            transform: { _, event, environment in
                Just(1).delay(for: .seconds(event), scheduler: environment.scheduler).eraseToAnyPublisher()
            }, apply: { $0 += $1 })
        for duration in [Duration.seconds(Int64.max), .nanoseconds(Int64.max)] {
            try Plan(reducer, given: 0) { CounterEnvironment($0) }
                .when(1_000_000_000)
                .advance(by: duration)
                .then(\.self, equals: 1)
                .run()
        }
        try Plan(reducer, given: 0) { CounterEnvironment($0) }.when(-1).then(\.self, equals: 1).run()
    }

    @Test("A plan may advance by zero, but not by a negative duration")
    func noTimeInPlan() throws {
        try counterPlan().advance(by: .zero).then(\.count, equals: 0).run()
        let failure = #expect(throws: PlanFailure.self) { try counterPlan().advance(by: .nanoseconds(-1)).run() }
        expectEqual(failure?.message.hasSuffix("time does not run backwards; pass zero or more"), true)
    }

    @Test("Child tasks of a body, and actors that it calls, run in the plan")
    func childTasks() throws {
        actor Adder { func add(_ a: Int, _ b: Int) -> Int { a + b } }
        let adder = Adder()
        let reducer = Reducer<Int, Int, Int, CounterEnvironment>(
            transform: { _, _, environment in
                .run { send in
                    async let a = environment.load("a")
                    async let b = environment.load("b")
                    let (first, second) = (try await a, try await b)
                    send(await adder.add(Int(first) ?? 0, Int(second) ?? 0))
                } catch: { _ in
                    -1
                }
            }, apply: { $0 = $1 })
        try Plan(reducer, given: 0) { CounterEnvironment($0) }
            .when(1)
            .resolve(load("b"), with: "40")
            .then(\.self, equals: 0)
            .resolve(load("a"), with: "2")
            .then(\.self, equals: 42)
            .when(2)
            .fail(load("a"), with: NetworkError.offline)
            .cancelled(load("b"))
            .then(\.self, equals: -1)
            .run()
    }
}

import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// Adds numbers; an event below zero is rejected.
private let adding = Reducer<Int, Int, Int, Void>(
    transform: { _, event, _ in
        if event < 0 { throw BelowZero(count: event) }
        return Just(event).eraseToAnyPublisher()
    }, apply: { $0 += $1 })

/// The beginning of forks.
struct ForkTests {
    private func message<State, Event, Effect, Environment>(_ plan: Plan<State, Event, Effect, Environment>) -> String {
        do {
            try plan.run()
            return "did not fail"
        } catch { return error.message }
    }

    @Test("A fork of a quiet plan ignores what its plan ignores")
    func ignoring() throws {
        try Plan(adding, given: 0, environment: ()).ignoringRefusals().fork("refused") { $0.when(-1) }.when(1).run()
        let endless = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in Empty(completeImmediately: false).eraseToAnyPublisher() }, apply: { $0 += $1 })
        try Plan(endless, given: 0, environment: ()).ignoringInFlight().fork("alive") { $0.when(1) }.run()
        let held = Recorder<CounterEnvironment>()
        try Plan(counter, given: Counter()) { (stubs: Stubs) in
            held.append(CounterEnvironment(stubs))
            return CounterEnvironment(stubs)
        }
        .ignoringRelease().fork("held") { $0.then(\.count, equals: 0) }.run()
    }

    @Test("A fork of a quiet plan begins at the time of its plan")
    func time() throws {
        let dates = Recorder<Int>()
        try counterPlan().advance(by: .seconds(5)).fork("later") { plan in
            plan.when(.wait).advance(by: .seconds(2)).then(\.count, equals: 2).ignoringInFlight().then { _ in dates.append(1) }
        }
        .run()
        expectEqual(dates.values, [1])
        let now = Reducer<Int, Void, Int, VirtualTimeScheduler>(
            transform: { _, _, time in Just(Int(time.now.offset.nanoseconds / 1_000_000_000)).eraseToAnyPublisher() },
            apply: { $0 = $1 })
        try Plan(now, given: 0) { $0.scheduler }.advance(by: .seconds(5)).fork("now") { $0.when(()).then(\.self, equals: 5) }
            .run()
    }

    @Test("A plan with feedback is replayed from its beginning for a fork")
    func feedback() throws {
        let feeding = Plan(adding, given: 0, environment: (), feedback: { _, _ in [Just(5).eraseToAnyPublisher()] })
        try feeding.then(\.self, equals: 5).fork("the same") { $0.then(\.self, equals: 5) }.when(1)
            .fork("after an event") { $0.then(\.self, equals: 6).when(1).then(\.self, equals: 7) }.run()
    }

    @Test("A fork has the live streams and timers of its plan")
    func alive() {
        let endless = Reducer<Int, Int, Int, Void>(
            transform: { _, _, _ in Empty(completeImmediately: false).eraseToAnyPublisher() }, apply: { $0 += $1 })
        let plan = Plan(endless, given: 0, environment: ()).when(1).fork("alive") { $0.then(\.self, equals: 0) }
        expect(message(plan.ignoringInFlight()).contains("1 stream of effects is still alive"))
        let setting = Reducer<Int, Int, Int, VirtualTimeScheduler>(
            transform: { _, _, time in
                time.schedule(after: time.now.advanced(by: 1)) {}
                return Empty().eraseToAnyPublisher()
            }, apply: { $0 += $1 })
        let timer = Plan(setting, given: 0) { $0.scheduler }.when(1).fork("it waits") { $0.then(\.self, equals: 0) }
        expect(
            message(timer.ignoringInFlight()).hasPrefix(
                "something is still alive at the end:\n    1 timer is due in 1.0 seconds: "))
        expect(message(timer.advance(by: .seconds(1))).contains("    1 timer is due in 1.0 seconds: "))
    }

    @Test("A fork with work in flight knows the calls that were expected before, and the effects of the last step")
    func replayed() throws {
        try counterPlan().when(.plus).expect(post(1))
            .fork("it was expected") { $0.expectNone(of: post).resolve(post(1), with: 1) }
            .when(.plus).cancelled(post(1))
            .fork("the last step") { $0.emits(.counted(2)).resolve(post(2), with: 2) }
            .resolve(post(2), with: 2).run()
    }

    @Test("A fork of a quiet plan knows the effects and the states of the last step")
    func lastStep() throws {
        try Plan(adding, given: 0, environment: ()).when(1)
            .fork("one") { $0.emits(1).holds("it is 1", in: .lastStep) { $0 == 1 } }
            .when(2)
            .fork("three") { $0.emits(2).fork("again") { $0.emits(2).when(3).emits(3) }.when(4).emits(4) }
            .emits(2).run()
    }

    @Test("A fork continues with the results of functions, and with the numbers of calls")
    func calls() throws {
        let now = Stub<Int, Int, Never>("now")
        let fetch = Stub<Int, Int, Never>("fetch")
        typealias World = (now: @Sendable (Int) -> Int, fetch: @Sendable (Int) -> AnyPublisher<Int, Never>)
        let reading = Reducer<Int, Int, Int, World>(
            transform: { _, event, world in event == 0 ? .just(world.now(0)) : world.fetch(event) }, apply: { $0 = $1 })
        try Plan(reading, given: 0) { (now: $0.function(now, inOrder: [5, 6]), fetch: $0.publisher(fetch)) }
            .when(0).expect(now(0)).then(\.self, equals: 5)
            .fork("the second result") { $0.when(0).expect(now(0)).then(\.self, equals: 6) }
            .when(1).resolve(fetch(1), with: 8)
            .fork("the second call") { $0.when(1).resolve(fetch(1), with: 9, number: 2).then(\.self, equals: 9) }
            .then(\.self, equals: 8).run()
    }

    @Test("A fork does not influence the next fork or the plan")
    func independent() throws {
        try counterPlan().when(.plus)
            .fork("first") { $0.resolve(post(1), with: 5).then(\.count, equals: 5) }
            .fork("second") { $0.resolve(post(1), with: 6).then(\.count, equals: 6) }
            .resolve(post(1), with: 7).then(\.count, equals: 7).run()
    }

    @Test("The trace of a fork is indented below its plan, which continues from the start of the fork")
    func indented() throws {
        let trace = try Plan(adding, given: 0, environment: ()).fork("a") { $0.when(1).fork("b") { $0.when(2) } }.when(3).run()
        expectEqual(
            trace.description,
            """
            Given
                0
            Or: a
                When 1
                    0 → 1
                Or: b
                    When 2
                        1 → 3
            When 3
                0 → 3
            """)
    }

    @Test("Changes by feedback at the beginning are below the given state in the trace of a plan")
    func beginning() throws {
        let trace = try Plan(adding, given: 0, environment: (), feedback: { _, _ in [Just(5).eraseToAnyPublisher()] }).when(1)
            .run()
        expectEqual(
            trace.description,
            """
            Given
                0
                0 → 5
            When 1
                5 → 6
            """)
    }

    @Test("Calls of feedback at the beginning are below the given state in the trace of a plan")
    func beginningCalls() throws {
        let fetch = Stub<Int, Int, Never>("fetch")
        let plan = Plan(
            Reducer<Int, Int, Int, @Sendable (Int) -> AnyPublisher<Int, Never>>(
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 += $1 }),
            given: 0, feedback: { _, fetch in [fetch(9)] }, environment: { $0.publisher(fetch) })
        let trace = try plan.resolve(fetch(9), with: 4).then(\.self, equals: 4).run()
        expectEqual(trace.lines, ["Given", "    0", "    calls fetch(9)", "fetch(9) answers 4", "    0 → 4", "Then self is 4"])
    }

    @Test("The failure of a fork contains the steps of the fork")
    func failing() {
        let failure = #expect(throws: PlanFailure.self) {
            try Plan(adding, given: 0, environment: ()).fork("a") { $0.when(1).then(\.self, equals: 9) }.when(3).run()
        }
        expectEqual(failure?.message, "self: expected 9, got 1")
        expectEqual(failure?.trace, "Given\n    0\nOr: a\n    When 1\n        0 → 1\n    Then self is 9")
    }
}

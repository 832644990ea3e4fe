import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// The messages of plans with several faults or leftovers.
struct FirstOfSeveralTests {
    private func message<State, Event, Effect, Environment>(_ plan: Plan<State, Event, Effect, Environment>) -> String {
        do {
            try plan.run()
            return "did not fail"
        } catch { return error.message }
    }

    /// Rejects all effects but 0, and events below zero.
    private let refusing = Reducer<Int, Int, Int, VirtualTimeScheduler>(
        transform: { _, event, time in
            if event < 0 { throw BelowZero(count: event) }
            return [1, 2].publisher.delay(for: .seconds(event), scheduler: time).eraseToAnyPublisher()
        },
        apply: { (_: inout Int, effect: Int) throws(BelowZero) in throw BelowZero(count: effect) })

    @Test("Of several effects that are rejected in one step, the first is reported")
    func refusals() throws {
        let plan = Plan(refusing, given: 0) { $0.scheduler }
        expect(message(plan.when(0)).hasPrefix("the effect 1 was rejected: BelowZero(count: 1)\n"))
        expectEqual(message(plan.when(1).advance(by: .seconds(1))), "the effect 1 was rejected: BelowZero(count: 1)")
        let sending = plan.acting("it sends", at: SourcePlace()) { try $0.send(0, allowingRefusals: false) }
        expect(message(sending).hasPrefix("the effect 1 was rejected: BelowZero(count: 1)\n"))
        expectEqual(message(plan.rejects(0, BelowZero(count: 1))), "did not fail")
        expect(message(plan.rejects(0, BelowZero(count: 2))).contains("count: expected 2, got 1"))
    }

    @Test("The advice for a rejected event is `rejects` with the event alone, and for a rejected effect with a further argument")
    func advice() {
        let plan = Plan(refusing, given: 0) { $0.scheduler }
        expect(message(plan.when(-1, allowingRefusals: true)).hasSuffix("write .rejects(-1) in place of .when"))
        expect(
            message(plan.when(0)).hasSuffix("write .rejects(0, …) in place of .when, or .when(…, allowingRefusals: true)"))
    }

    @Test("The oldest of several calls that no step mentions is reported")
    func calls() {
        let plan = counterPlan().when(.quietly).when(.plus).ignoringInFlight()
        expect(message(plan).hasPrefix("log(\"quietly\") was called, but no step mentions it"))
    }

    @Test("The oldest of several equal calls is the one that is expected, and the one that is found cancelled")
    func equalCalls() {
        let plan = counterPlan().when(.plus).when(.plus).when(.minus)
        expect(
            message(plan.expect(post(1)).cancelled(post(2))).hasPrefix(
                "post(1) was called, but no step mentions it; it waits for its answer"))
        expect(message(plan.when(.plus).cancelled(post(1))).hasPrefix("post(2) was called"))
    }

    @Test("A cancellation is found by one step, and a second one needs another")
    func cancelledTwice() {
        let find = Stub<Int, Int, any Error>("find")
        let finding = Reducer<Int, Int, Int, @Sendable (Int) async throws -> Int>(
            transform: { _, event, find in
                if event < 0 { return .cancelJob(-event) }
                return AnyPublisher<Int, Never>.run { send in
                    send(try await find(1))
                } catch: { _ in
                    9
                }.job(event)
            }, apply: { (state: inout Int, effect: Int) in state = effect })
        let plan = Plan(finding, given: 0) { $0.async(find) }.when(1).expect(find(1)).when(-1).cancelled(find(1))
        expectEqual(message(plan), "did not fail")
        expectEqual(
            message(plan.cancelled(find(1))), "find(1) was not cancelled again: an earlier step has checked its cancellation")
        let again = plan.when(2).expect(find(1))
        expectEqual(message(again.cancelled(find(1))), "find(1) was not cancelled: it waits for its answer")
        expectEqual(message(again.when(-2).cancelled(find(1))), "did not fail")
    }

    @Test("The oldest call of the expected function is compared with the expected one, and calls of other functions are not")
    func arguments() {
        let plan = counterPlan().when(.load("a")).when(.load("b")).ignoringInFlight()
        expectEqual(
            message(plan.expect(load("c"))),
            """
            load("c") was expected, but it was not called
            the argument: expected "c", got "a"
            The unexpected calls are: load("a"), load("b")
            """)
        let other = Stub<String, String, any Error>("other")
        expectEqual(
            message(plan.expect(other("c"))),
            """
            other("c") was expected, but it was not called
            The unexpected calls are: load("a"), load("b")
            """)
    }

    @Test("Streams that are alive at the end are counted, with the jobs, calls and timers among them")
    func alive() {
        let plan = counterPlan().when(.plus).expect(post(1)).when(.search("x")).when(.load("y")).expect(load("y"))
        expect(
            message(plan).hasPrefix(
                """
                3 streams of effects are still alive at the end:
                    pending calls: post(1), load("y"): answer them by .resolve or .fail
                    jobs: post, search
                    2 timers are set, the next is due in 0.3 seconds: .advance(by: .milliseconds(300)). If each timer
                """))
    }

    @Test("A plan that ends with pending timers and calls releases everything")
    func cancelled() throws {
        try counterPlan().when(.plus).expect(post(1)).when(.search("x")).when(.wait).when(.load("y")).expect(load("y"))
            .ignoringInFlight().run()
    }

    @Test("A call that cannot be cancelled may be pending at the end, and retain the environment")
    func uncancellable() throws {
        let find = Stub<String, String, Never>("find")
        let patient = Reducer<[String], String, String, @Sendable (String) async -> String>(
            transform: { _, event, find in AnyPublisher<String, Never>.run { send in send(await find(event)) } },
            apply: { $0.append($1) })
        try Plan(patient, given: []) { $0.async(find) }.when("a").expect(find("a")).ignoringInFlight().run()
    }

    @Test("An effect of the last step may retain the environment until the end")
    func effectHolds() throws {
        final class World: Sendable {
            let stubs: Stubs
            init(_ stubs: Stubs) { self.stubs = stubs }
        }
        let reducer = Reducer<Int, Int, World, World>(
            transform: { _, _, world in Just(world).eraseToAnyPublisher() }, apply: { count, _ in count += 1 })
        try Plan(reducer, given: 0) { World($0) }.when(1).then(\.self, equals: 1).run()
    }
}

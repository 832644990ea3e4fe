import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct World: Sendable {
    var fetch: @Sendable (Int) -> AnyPublisher<Int, NetworkError>
    var ask: @Sendable (Int) async throws(NetworkError) -> String
}

private let fetch = Stub<Int, Int, NetworkError>("fetch")
private let askNumber = Stub<Int, String, NetworkError>("ask")

/// Records the answers to its calls: an event above zero fetches, one below asks, and 0 cancels the fetches.
private let noting = Reducer<[String], Int, String, World>(
    transform: { _, event, world in
        if event == 0 { return .cancelJob("fetch") }
        if event < 0 {
            return .run { send in
                do { send(try await world.ask(-event)) } catch { send("\(error)") }
            }
        }
        return world.fetch(event).map { "\($0)" }.append("ended").catch { Just("\($0)") }.job("fetch", .merge)
            .eraseToAnyPublisher()
    },
    apply: { (lines: inout [String], line: String) in
        if line == "13" { throw Rejection("unlucky") }
        lines.append(line)
    })

/// Steps with calls and answers by name, as in a recording.
struct ErasedStepsTests {
    private typealias NotingPlan = Plan<[String], Int, String, World>

    private func plan(_ events: Int...) -> NotingPlan {
        events.reduce(Plan(noting, given: []) { World(fetch: $0.publisher(fetch), ask: $0.async(askNumber)) }) { $0.when($1) }
    }

    private func answering(
        _ plan: NotingPlan, _ name: String, _ call: String?, number: Int? = nil, isLate: Bool = false, _ answer: ErasedAnswer
    ) -> NotingPlan {
        plan.answering(name, call: call, number: number, isLate: isLate, title: "it answers", at: SourcePlace(), with: answer)
    }

    private func message(_ plan: NotingPlan) -> String {
        do {
            try plan.run()
            return "did not fail"
        } catch { return error.message }
    }

    @Test("A value answers a call, which is then no longer pending")
    func value() throws {
        let answered = answering(plan(1), "fetch", "fetch(1)", .value { _ in 7 }).waiting().then(equals: ["7", "ended"])
        let trace = try answered.run()
        expect(trace.lines.contains("it answers"))
        expect(
            message(answering(plan(1), "fetch", nil, .value { _ in 7 }).resolve(fetch(1), with: 8)).contains(
                "was answered before"))
        try answering(plan(-2), "ask", "ask(2)", .value { _ in "yes" }).waiting().then(equals: ["yes"]).run()
    }

    @Test("A value that a stream sends leaves its call pending")
    func sent() throws {
        try answering(plan(1), "fetch", "fetch(1)", .sent { _ in 7 }).then(equals: ["7"]).waiting("fetch(1)")
            .resolve(fetch(1), with: 8).then(equals: ["7", "8", "ended"]).run()
    }

    @Test("A failure or a completion ends a call, which is then no longer pending")
    func ends() throws {
        try answering(plan(1), "fetch", "fetch(1)", .failure { _ in NetworkError.offline }).waiting().then(equals: ["offline"])
            .run()
        try answering(plan(-2), "ask", nil, .failure { _ in NetworkError.rubbish }).waiting().then(equals: ["rubbish"]).run()
        try answering(plan(1), "fetch", "fetch(1)", .finished).waiting().then(equals: ["ended"]).run()
    }

    @Test("A failed answer reports the outcome of the last of several calls that are no longer pending")
    func lastOfSeveral() {
        let over = answering(plan(1), "fetch", nil, .finished).when(1).when(0)
        expectEqual(message(answering(over, "fetch", nil, .finished)), "fetch cannot be answered: it was cancelled")
    }

    @Test("An answer is requested with the type that the call needs, and fails if it has another type")
    func types() {
        let types = Recorder<String>()
        func note(_ type: Any.Type) -> Int {
            types.append("\(type)")
            return 7
        }
        expectEqual(message(answering(plan(1), "fetch", nil, .value(note))), "did not fail")
        expectEqual(message(answering(plan(1), "fetch", nil, .failure(note))), "fetch(1): 7 is not a value of NetworkError")
        expectEqual(message(answering(plan(-1), "ask", nil, .value(note))), "ask(1): 7 is not a value of String")
        expectEqual(message(answering(plan(1), "fetch", nil, .sent { _ in "a" })), "fetch(1): a is not a value of Int")
        expectEqual(types.values, ["Int", "NetworkError", "String"])
    }

    @Test("An answer goes to the oldest pending call or, given a number, to the call with that number")
    func numbers() throws {
        let two = plan(1, 2, 1)
        try answering(
            answering(answering(two, "fetch", nil, .value { _ in 5 }), "fetch", "fetch(1)", .value { _ in 6 }), "fetch", nil,
            .value { _ in 7 }
        )
        .then(equals: ["5", "ended", "6", "ended", "7", "ended"]).waiting().run()
        try answering(plan(1, 2, 1), "fetch", "fetch(1)", number: 2, .value { _ in 5 }).waiting("fetch(1)", "fetch(2)")
            .ignoringCalls().ignoringInFlight().run()
        try answering(plan(1, 2, 1), "fetch", nil, number: 3, .value { _ in 5 }).waiting("fetch(1)", "fetch(2)")
            .ignoringCalls().ignoringInFlight().run()
    }

    @Test(
        "A call that cannot be answered fails with its name and the reason, unless the answer is late", arguments: [false, true])
    func absent(isLate: Bool) {
        func says(_ plan: NotingPlan, _ call: String?, _ number: Int?, _ text: String) {
            let answered = answering(
                plan.ignoringCalls().ignoringInFlight(), "fetch", call, number: number, isLate: isLate, .finished)
            expect(message(answered) == (isLate ? "did not fail" : text))
        }
        says(plan(), "fetch(1)", nil, "fetch(1) was not called; no call is pending")
        says(plan(-2, -3), nil, nil, "fetch was not called; the pending calls are ask(2), ask(3)")
        says(plan(1), "fetch(2)", nil, "fetch(2) was not called; the pending calls are fetch(1)")
        says(plan(1), "fetch(1)", 0, "fetch(1) has no call number 0")
        says(plan(1), nil, 2, "fetch has no call number 2")
        says(plan(1).resolve(fetch(1), with: 1), "fetch(1)", nil, "fetch(1) cannot be answered: it was answered")
        says(plan(1, 0), nil, nil, "fetch cannot be answered: it was cancelled")
    }

    @Test("An effect that follows from an answer fails the plan if it is rejected, unless rejections are ignored")
    func rejected() {
        expect(
            message(answering(plan(1), "fetch", nil, .value { _ in 13 })).hasPrefix("the effect \"13\" was rejected: unlucky"))
        expectEqual(
            message(answering(plan(1).ignoringRefusals().when(2), "fetch", nil, .value { _ in 13 }).resolve(fetch(2), with: 1)),
            "did not fail")
    }

    @Test("A `looking` step receives the state, the rejections of the last step, and the calls that it made")
    func looking() throws {
        let seen = Recorder<String>()
        func look(_ plan: NotingPlan) -> NotingPlan {
            plan.looking { state, rejected, calls in seen.append("\(state) \(rejected) \(calls)") }
        }
        let asked = look(look(plan()).when(1))
        try look(answering(asked.ignoringRefusals(), "fetch", nil, .value { _ in 13 })).run()
        expectEqual(seen.values, ["[] [] []", "[] [] [\"fetch(1)\"]", "[\"ended\"] [\"\\\"13\\\"\"] []"])
        let refusing = Reducer<Int, Int, Int, Void>(transform: { _, _, _ in throw Rejection("no") }, apply: { $0 += $1 })
        try Plan(refusing, given: 0, environment: ()).rejects(4).looking { _, rejected, _ in seen.append("\(rejected)") }.run()
        expectEqual(seen.values.last, "[\"4\"]")
    }
}

/// The steps of other modules of the package.
struct PlanStageTests {
    private let adding = Reducer<Int, Int, Int, Void>(
        transform: { _, event, _ in
            if event < 0 { throw Rejection("below zero") }
            return Just(event).eraseToAnyPublisher()
        },
        apply: { (count: inout Int, number: Int) in
            if number == 13 { throw Rejection("unlucky") }
            count += number
        })

    private var plan: Plan<Int, Int, Int, Void> { Plan(adding, given: 0, environment: ()) }

    private func message(_ event: Int, allowingRefusals: Bool = false, ignoring: Bool = false) -> String {
        let plan = ignoring ? plan.ignoringRefusals() : plan
        do {
            try plan.acting("it sends", at: SourcePlace()) { try $0.send(event, allowingRefusals: allowingRefusals) }.run()
            return "did not fail"
        } catch { return error.message }
    }

    @Test("An event is sent, and may be rejected only if that is allowed")
    func sending() throws {
        let trace = try plan.acting("it sends", at: SourcePlace()) { try $0.send(3, allowingRefusals: false) }
            .then(\.self, equals: 3).run()
        expectEqual(trace.lines, ["Given", "    0", "it sends", "    0 → 3", "Then self is 3"])
        expect(message(-1).hasPrefix("-1 was rejected: below zero"))
        expect(message(-1).hasSuffix("\nIf that is right, write allowingRefusals: true"))
        expect(message(13).hasPrefix("the effect 13 was rejected: unlucky"))
        for event in [-1, 13] {
            expectEqual(message(event, allowingRefusals: true), "did not fail")
            expectEqual(message(event, ignoring: true), "did not fail")
        }
    }

    @Test("The attachment of a plan's world lasts from step to step, and is copied for a fork")
    func attachment() throws {
        let seen = Recorder<[String]>()
        func attaching(_ plan: Plan<Int, Int, Int, Void>, _ text: String) -> Plan<Int, Int, Int, Void> {
            plan.noting(at: SourcePlace()) { $0.attachment = (($0.attachment as? [String]) ?? []) + [text] }
        }
        func looking(_ plan: Plan<Int, Int, Int, Void>) -> Plan<Int, Int, Int, Void> {
            plan.checking("", at: SourcePlace()) { seen.append((($0.attachment as? [String]) ?? []) + ["\($0.state)"]) }
        }
        let begun = attaching(plan.when(1), "a").fork("b") { looking(attaching($0, "b").when(1)) }
        try looking(attaching(begun, "c")).run()
        expectEqual(seen.values, [["a", "b", "2"], ["a", "c", "1"]])
    }
}

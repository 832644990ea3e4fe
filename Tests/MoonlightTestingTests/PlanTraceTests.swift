import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

/// The features of Statoscope's tests, one by one, and the counter examples of its README.
struct PlanTraceTests {
    @Test("Statoscope's first example: a plan checks the state after each event")
    func firstExample() throws {
        let plain = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { (count: inout Int, step: Int) in count = max(0, count + step) })
        try Plan(plain, given: 0, environment: ())
            .then(\.self, equals: 0)
            .when(1)
            .then(\.self, equals: 1)
            .when(-1)
            .then(\.self, equals: 0)
            .when(-1)
            .then(\.self, equals: 0)
            .run()
    }

    @Test("Statoscope's second example: a plan answers the network call, and the counter is no longer busy")
    func secondExample() throws {
        try counterPlan()
            .then(\.count, equals: 0)
            .then(\.isBusy, equals: false)
            .when(.plus)
            .then(\.count, equals: 1)
            .then(\.isBusy, equals: true)
            .expect(post(1))
            .resolve(post(1), with: 1)
            .then(\.count, equals: 1)
            .then(\.isBusy, equals: false)
            .run()
    }

    @Test("Statoscope's FORK: the network call fails in a fork, and succeeds in the plan")
    func forks() throws {
        let trace = try counterPlan()
            .when(.plus)
            .fork("the network is down") {
                $0.fail(post(1), with: .offline)
                    .then(\.count, equals: 0)
                    .then(\.message, equals: "offline")
            }
            .resolve(post(1), with: 7)
            .then(equals: Counter(count: 7))
            .run()
        expectEqual(
            trace.description,
            """
            Given
                count is 0
                isBusy is false
                message is nil
            When plus
                count: 0 → 1
                isBusy: false → true
                calls post(1)
            Or: the network is down
                post(1) fails: offline
                    count: 1 → 0
                    isBusy: true → false
                    message: nil → "offline"
                Then count is 0
                Then message is "offline"
            post(1) answers 7
                count: 1 → 7
                isBusy: true → false
            Then the state is Counter(count: 7, isBusy: false, message: nil)
            """)
    }

    @Test("A fork after a plain call begins with that call, expected or not")
    func forkAfterCall() throws {
        try counterPlan()
            .when(.quietly)
            .fork("it is expected there, too") { $0.expect(log("quietly")).expectNoCalls() }
            .expect(log("quietly"))
            .fork("it has been expected") { $0.expectNone(of: log) }
            .run()
        let failure = #expect(throws: PlanFailure.self) {
            try counterPlan().when(.quietly).fork("no step expects it") { $0.then(\.message, equals: nil) }.expect(log("quietly"))
                .run()
        }
        expectEqual(failure?.message.contains("log(\"quietly\") was called, but no step mentions it"), true)
    }

    @Test("A fork begins with the pending calls, even if no stream of effects is alive")
    func forkWithWaiting() throws {
        let find = Stub<String, String, Never>("find")
        let patient = Reducer<[String], String, String, @Sendable (String) async -> String>(
            transform: { _, event, find in
                // A function that cannot fail cannot be cancelled either: it keeps waiting.
                if event == "stop" { return .cancelJob("search") }
                return AnyPublisher<String, Never>.run { send in send(await find(event)) }.job("search").eraseToAnyPublisher()
            }, apply: { $0.append($1) })
        try Plan(patient, given: []) { $0.async(find) }
            .when("a")
            .expect(find("a"))
            .when("stop")
            .inFlight()
            .fork("answered in vain") { $0.waiting(find("a")).resolve(find("a"), with: "b").waiting().then(equals: []) }
            .resolve(find("a"), with: "c")
            .then(equals: [])
            .run()
    }

    @Test("The oldest of equal pending calls is answered, and each of equal calls is expected once")
    func equalCalls() throws {
        struct World: Sendable { let find: @Sendable (String) -> AnyPublisher<Int, Never> }
        let find = Stub<String, Int, Never>("find")
        let reducer = Reducer<[String], String, String, World>(
            transform: { _, event, world in world.find("x").map { "\(event): \($0)" }.eraseToAnyPublisher() },
            apply: { $0.append($1) })
        try Plan(reducer, given: []) { World(find: $0.publisher(find)) }
            .when("first").when("second").when("third")
            .expect(find("x")).expect(find("x")).expect(find("x"))
            .resolve(find("x"), with: 1)
            .then(equals: ["first: 1"])
            .send(2, from: find("x"))
            .resolve(find("x"), with: 3)
            .resolve(find("x"), with: 4)
            .then(equals: ["first: 1", "second: 2", "second: 3", "third: 4"])
            .run()
    }

    @Test("A fork inside a fork, with work in flight, begins after all earlier steps")
    func nestedForks() throws {
        try counterPlan()
            .when(.plus)
            .fork("twice") {
                $0.when(.plus)
                    .cancelled(post(1))
                    .fork("and down") { $0.fail(post(2), with: .offline).then(\.count, equals: 1) }
                    .resolve(post(2), with: 2)
                    .then(\.count, equals: 2)
            }
            .resolve(post(1), with: 1)
            .then(\.count, equals: 1)
            .run()
    }

    @Test("Statoscope's throwsWHEN: a plan checks that an event is rejected, and the error")
    func refusals() throws {
        try counterPlan()
            .rejects(.minus, BelowZero(count: 0))
            .rejects(.minus)
            .rejects(.reset, Rejection("not now"))
            .rejects(.minus) { expect($0 is BelowZero) }
            .then(equals: Counter())
            .run()
    }

    @Test("Statoscope's THEN on optionals: a plan checks a value, and that it is nil or not nil")
    func optionals() throws {
        try counterPlan(Counter(message: "hello"))
            .then(\.message) { expectEqual($0, "hello") }
            .then(\.message) { _ in }
            .then("the count is low") { expect($0.count < 10) }
            .run()
        try counterPlan().then(\.message, equals: nil).run()
    }

    @Test("A check of an optional that throws fails the plan")
    func optionalCheck() {
        let plan = counterPlan(Counter(message: "hello")).then(\.message) { _ in throw NetworkError.rubbish }
        expectEqual(#expect(throws: PlanFailure.self) { try plan.run() }?.message, "rubbish")
    }

    @Test("A plan checks the emitted effects and the calls")
    func effects() throws {
        try counterPlan()
            .when(.plus)
            .emits(.counted(1))
            .expect(post(1))
            .expectNone(of: post)
            .resolve(post(1), with: 2)
            .emits(.synchronised(2))
            .expectNoCalls()
            .run()
    }

    @Test("The plan determines the order in which calls of asynchronous bodies are answered")
    func asynchronous() throws {
        try counterPlan()
            .when(.load("a"))
            .when(.load("b"))
            .resolve(load("b"), with: "B")
            .then(\.message, equals: "B")
            .resolve(load("a"), with: "A")
            .then(\.message, equals: "A")
            .resolve(ask("B", 1), with: "yes")
            .fail(ask("A", 1), with: .rubbish)
            .then(\.message, equals: "failed: rubbish")
            .run()
    }

    @Test("Work in flight is checked by job ids and by descriptions of calls")
    func inFlight() throws {
        try counterPlan()
            .inFlight()
            .when(.plus)
            .inFlight("post")
            .waiting(post(1))
            .when(.search("moon"))
            .inFlight("post", "search")
            .resolve(post(1), with: 1)
            .inFlight("search")
            .waiting()
            .advance(by: .milliseconds(300))
            .inFlight()
            .run()
    }

    @Test("Virtual time drives streams and sleeping bodies exactly")
    func time() throws {
        try counterPlan()
            .when(.search("a"))
            .advance(by: .milliseconds(200))
            .when(.search("b"))
            .advance(by: .milliseconds(299))
            .then(\.message, equals: nil)
            .advance(by: .milliseconds(1))
            .then(\.message, equals: "b")
            .when(.wait)
            .advance(by: .milliseconds(2999))
            .then(\.count, equals: 2)
            .advance(by: .milliseconds(1))
            .then(\.count, equals: 3)
            .run()
    }

    @Test("Plain functions are recorded, and must be expected")
    func plainFunctions() throws {
        try counterPlan().when(.quietly).expect(log("quietly")).emits(.idle).run()
        try counterPlan().when(.quietly).ignoringCalls(of: "log").run()
    }

    @Test("A stream of many values sends them one by one")
    func manyValues() throws {
        try counterPlan()
            .when(.plus)
            .send(5, from: post(1))
            .then(\.count, equals: 5)
            .send(6, from: post(1))
            .finish(post(1))
            .then(\.count, equals: 6)
            .run()
    }

    @Test("A plan is compared with an expected trace")
    func expectedTrace() throws {
        try counterPlan()
            .rejects(.reset)
            .run(
                matching: """
                    Given
                        count is 0
                        isBusy is false
                        message is nil
                    When reset, which is rejected
                    """)
        let failure = #expect(throws: PlanFailure.self) { try counterPlan().run(matching: "Given\n    count is 1") }
        expectEqual(failure?.message.contains("- 2:     count is 1"), true)
        expectEqual(failure?.message.contains("+ 2:     count is 0"), true)
    }

    @Test("A difference between traces is shown line by line, the expected line before the actual one")
    func differingLines() {
        let actual = """
            Given
                count is 0
                isBusy is false
                message is nil
            Then count is 0
            """
        func failure(_ text: String) -> String? {
            #expect(throws: PlanFailure.self) { try counterPlan().then(\.count, equals: 0).run(matching: text) }?.message
        }
        expectEqual(
            failure("Given\n    count is 1\n    isBusy is true\n    message is nil\nThen count is 0"),
            """
            the trace differs (- expected, + actual):
            - 2:     count is 1
            + 2:     count is 0
            - 3:     isBusy is true
            + 3:     isBusy is false
            It is now:
            \(actual)
            """)
        expectEqual(
            failure("Given\n    message is nil\nThen count is 0"),
            """
            the trace differs (- expected, + actual):
            + 2:     count is 0
            + 3:     isBusy is false
            It is now:
            \(actual)
            """)
        expectEqual(
            failure(actual + "\n"),
            """
            the trace differs (- expected, + actual):
            - 6: 
            It is now:
            \(actual)
            """)
    }

    @Test("Many plans run quickly, and each releases its loop")
    func manyPlans() throws {
        for number in 0..<Budget.rounds(10_000) {
            try counterPlan(Counter(count: number)).when(.plus).resolve(post(number + 1), with: 1).run()
        }
    }
}

final class Recorder<Value>: @unchecked Sendable {
    // Sound: used by one thread.
    private(set) var values: [Value] = []
    func append(_ value: Value) { values.append(value) }
}

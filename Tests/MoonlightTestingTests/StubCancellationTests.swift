import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Unplugged: Error, Equatable {}

/// A finder in which the newest query wins.
private struct Finder: Equatable, Sendable {
    var found: [String] = []
    var problem: String?
}

private enum FinderEffect: Sendable {
    case found([String])
    case failed(String)
}

private struct FinderWorld: Sendable {
    var find: @Sendable (String) async throws -> [String]
}

private let finder = Reducer<Finder, String, FinderEffect, FinderWorld>(
    transform: { _, text, world in
        .run { send in
            send(.found(try await world.find(text)))
        } catch: { error in
            .failed("\(error)")
        }.job("search", .latest).eraseToAnyPublisher()
    },
    apply: { state, effect in
        switch effect {
        case .found(let lines): state.found = lines
        case .failed(let problem): state.problem = problem
        }
    })

@Suite("Stubs whose task is cancelled")
struct StubCancellationTests {
    private func plan<Failure: Error>(
        _ find: Stub<String, [String], Failure>
    ) -> Plan<Finder, String, FinderEffect, FinderWorld> {
        Plan(finder, given: Finder()) { FinderWorld(find: $0.async(find)) }
    }

    @Test("The oldest of equal cancelled calls that are still awaited is answered first")
    func oldestOfTheCancelled() throws {
        let (find, answers, calls) = (
            Stub<String, Int, Unplugged>("find"), MoonlightTestSupport.Recorder<String>(), MoonlightTestSupport.Counter()
        )
        let stubborn = Reducer<Int, String, Int, @Sendable (String) async throws(Unplugged) -> Int>(
            transform: { _, text, find in
                if text == "stop" { return Just(0).job("search", .latest).eraseToAnyPublisher() }
                let number = calls.add()
                return AnyPublisher<Int, Never>.run { _ in answers.append("call \(number): \((try? await find(text)) ?? 0)") }
                    .job("search", .latest).eraseToAnyPublisher()
            },
            apply: { $0 += $1 })
        try Plan(stubborn, given: 0) { $0.async(find) }
            .when("a").expect(find("a"))
            .when("a").expect(find("a"))
            .when("stop")
            .resolve(find("a"), with: 10)
            .resolve(find("a"), with: 20)
            .run()
        expectEqual(answers.all, ["call 1: 10", "call 2: 20"])
    }

    @Test("A stub that is called by a task that was cancelled before throws at once")
    func cancelledBefore() throws {
        let (first, second) = (Stub<String, Int, Unplugged>("first"), Stub<String, Int, any Error>("second"))
        struct World: Sendable {
            var first: @Sendable (String) async throws(Unplugged) -> Int
            var second: @Sendable (String) async throws -> Int
        }
        let errors = MoonlightTestSupport.Recorder<String>()
        let reducer = Reducer<Int, String, Int, World>(
            transform: { _, text, world in
                if text == "stop" { return Just(0).job("search", .latest).eraseToAnyPublisher() }
                return AnyPublisher<Int, Never>.run { _ in
                    _ = try? await world.first(text)
                    do { _ = try await world.second(text) } catch { errors.append("\(error)") }
                }.job("search", .latest).eraseToAnyPublisher()
            },
            apply: { $0 += $1 })
        try Plan(reducer, given: 0) { World(first: $0.async(first), second: $0.async(second)) }
            .when("a").expect(first("a"))
            .when("stop")
            .resolve(first("a"), with: 1)
            .cancelled(second("a"))
            .run()
        expectEqual(errors.all, ["CancellationError()"])
    }

    @Test("A call of a stub that may throw any error ends when it is cancelled, and cannot be answered")
    func anyError() throws {
        let find = Stub<String, [String], any Error>("find")
        let failure = #expect(throws: PlanFailure.self) {
            try plan(find).when("mo").when("moon").cancelled(find("mo")).resolve(find("mo"), with: []).run()
        }
        expectEqual(failure?.message.hasPrefix("find(\"mo\") cannot be answered: it was cancelled"), true)
    }

    @Test("A call of a stub with a custom error type counts as cancelled")
    func typedError() throws {
        let find = Stub<String, [String], Unplugged>("find")
        try plan(find)
            .when("mo")
            .when("moon")
            .cancelled(find("mo"))
            .fork("the network is down") { $0.fail(find("moon"), with: Unplugged()).then(\.problem, equals: "Unplugged()") }
            .resolve(find("moon"), with: ["moonlight"])
            .then(\.found, equals: ["moonlight"])
            .run()
    }

    @Test("A call of a stub that cannot fail does not count as cancelled, and the failure has the reason")
    func noError() {
        let find = Stub<String, [String], Never>("find")
        let plan = Plan(finder, given: Finder()) { (stubs: Stubs) -> FinderWorld in
            let find: @Sendable (String) async -> [String] = stubs.async(find)
            return FinderWorld(find: find)
        }
        let failure = #expect(throws: PlanFailure.self) { try plan.when("mo").when("moon").cancelled(find("mo")).run() }
        expectEqual(failure?.message.contains("its task was, but a function that cannot fail ignores that"), true)
    }

    @Test("A cancelled call of a stub with a custom error type may still throw that error, which has no effect")
    func answeredLate() throws {
        let find = Stub<String, [String], Unplugged>("find")
        try plan(find)
            .when("mo")
            .when("moon")
            .cancelled(find("mo"))
            .fail(find("mo"), with: Unplugged())
            .then(\.problem, equals: nil)
            .resolve(find("moon"), with: [])
            .run()
    }

    @Test("A cancelled call of a stub with a custom error type can be answered only once")
    func answeredOnce() {
        let find = Stub<String, [String], Unplugged>("find")
        let failure = #expect(throws: PlanFailure.self) {
            try plan(find).when("mo").when("moon").fail(find("mo"), with: Unplugged()).fail(find("mo"), with: Unplugged()).run()
        }
        expectEqual(failure?.message.hasPrefix("find(\"mo\") cannot be answered: it was cancelled"), true)
    }

    @Test("If one of two equal calls was cancelled, the other one is answered")
    func equalCalls() throws {
        let find = Stub<String, [String], Unplugged>("find")
        try plan(find)
            .when("moon")
            .when("moon")
            .resolve(find("moon"), with: ["moonlight"])
            .then(\.found, equals: ["moonlight"])
            .cancelled(find("moon"))
            .run()
    }

    @Test("A cancelled call that no step mentions fails the plan, and the message names the step to write")
    func unasked() {
        let find = Stub<String, [String], Unplugged>("find")
        let failure = #expect(throws: PlanFailure.self) {
            try plan(find).when("mo").when("moon").resolve(find("moon"), with: []).run()
        }
        expectEqual(failure?.message.contains("it was cancelled\nWrite .cancelled(find(\"mo\"))"), true)
    }
}

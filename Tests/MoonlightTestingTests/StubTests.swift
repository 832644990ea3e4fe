import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct World: Sendable {
    var none: @Sendable () -> AnyPublisher<Int, Never>
    var two: @Sendable (Int, String) -> AnyPublisher<Int, Never>
    var three: @Sendable (Int, String, Bool) -> AnyPublisher<Int, Never>
    var number: @Sendable (String) -> Int
    var next: @Sendable () -> Int
    var chosen: @Sendable () -> Int
    var tell: @Sendable () -> Void
    var ask: @Sendable () async throws(NetworkError) -> Int
    var askTwo: @Sendable (Int, Int) async throws(NetworkError) -> Int
    var askThree: @Sendable (Int, Int, Int) async throws(NetworkError) -> Int
}

private let none = Stub<Void, Int, Never>("none")
private let two = Stub<(Int, String), Int, Never>("two")
private let three = Stub<(Int, String, Bool), Int, Never>("three")
private let number = Stub<String, Int, Never>("number")
private let next = Stub<Void, Int, Never>("next")
private let chosen = Stub<Void, Int, Never>("chosen")
private let tell = Stub<Void, Void, Never>("tell")
private let askNothing = Stub<Void, Int, NetworkError>("ask")
private let askTwo = Stub<(Int, Int), Int, NetworkError>("askTwo")
private let askThree = Stub<(Int, Int, Int), Int, NetworkError>("askThree")

private enum Event: Sendable {
    case none, two, three, number, next, chosen, tell
    case ask(Int)
}

private let calling = Reducer<[Int], Event, Int, World>(
    transform: { _, event, world in
        switch event {
        case .none: return world.none()
        case .two: return world.two(1, "a")
        case .three: return world.three(1, "a", true)
        case .number: return Just(world.number("x")).eraseToAnyPublisher()
        case .next: return Just(world.next()).eraseToAnyPublisher()
        case .chosen: return Just(world.chosen()).eraseToAnyPublisher()
        case .tell:
            world.tell()
            return Empty().eraseToAnyPublisher()
        case .ask(let count):
            return .run { send in
                do throws(NetworkError) {
                    switch count {
                    case 0: send(try await world.ask())
                    case 2: send(try await world.askTwo(1, 2))
                    default: send(try await world.askThree(1, 2, 3))
                    }
                } catch { send(-1) }
            }
        }
    },
    apply: { $0.append($1) })

/// The functions of a plan's environment, with all supported numbers of arguments.
struct StubTests {
    private func plan(_ events: Event...) -> Plan<[Int], Event, Int, World> {
        events.reduce(
            Plan(calling, given: []) { stubs in
                World(
                    none: stubs.publisher(none), two: stubs.publisher(two), three: stubs.publisher(three),
                    number: stubs.function(number, inOrder: [1, 2, 3]), next: stubs.function(next, inOrder: [4, 5]),
                    chosen: stubs.function(chosen) { 9 }, tell: stubs.function(tell), ask: stubs.async(askNothing),
                    askTwo: stubs.async(askTwo), askThree: stubs.async(askThree))
            }
        ) { $0.when($1) }
    }

    @Test("A stub's stream is named by the stub with its arguments")
    func streams() throws {
        try plan(.none, .two, .three).waiting(none(), two(1, "a"), three(1, "a", true))
            .resolve(none(), with: 1).resolve(two(1, "a"), with: 2).resolve(three(1, "a", true), with: 3)
            .then(equals: [1, 2, 3]).run()
        let failure = #expect(throws: PlanFailure.self) { try plan(.three).expect(three(1, "a", false)).run() }
        expectEqual(
            failure?.message.hasPrefix(
                "three(1, \"a\", false) was expected, but it was not called\nthe argument.2: expected false, got true"), true)
    }

    @Test("An asynchronous stub is answered, or failed, by the stub with its arguments")
    func asynchronous() throws {
        try plan(.ask(0), .ask(2), .ask(3)).waiting(askNothing(), askTwo(1, 2), askThree(1, 2, 3))
            .resolve(askNothing(), with: 1).resolve(askTwo(1, 2), with: 2).fail(askThree(1, 2, 3), with: .offline)
            .then(equals: [1, 2, -1]).run()
    }

    @Test("A plain stub returns its results in order, and then the last one again")
    func inOrder() throws {
        try plan(.number, .number, .number, .number, .number).then(equals: [1, 2, 3, 3, 3]).ignoringCalls(of: "number").run()
        try plan(.next, .next, .next).then(equals: [4, 5, 5]).expect(next()).expect(next()).expect(next()).run()
    }

    @Test("Plain stubs are recorded with their arguments, even if they return nothing")
    func plain() throws {
        let trace = try plan(.number, .chosen, .tell).expect(number("x")).expect(chosen()).expect(tell()).then(equals: [1, 9])
            .run()
        expectEqual(
            trace.lines.filter { $0.contains("calls") }, ["    calls number(\"x\")", "    calls chosen()", "    calls tell()"])
        expectEqual("\(two(1, "a"))", "two(1, \"a\")")
        expectEqual("\(three(1, "a", true))", "three(1, \"a\", true)")
    }

    @Test("Calls of the given names are ignored, and all others must be expected")
    func ignoring() throws {
        try plan(.chosen, .tell).ignoringCalls(of: "chosen", "tell").expectNoCalls().run()
        try plan(.chosen, .tell).ignoringCalls().expectNoCalls().run()
        let failure = #expect(throws: PlanFailure.self) { try plan(.chosen, .tell).ignoringCalls(of: "chosen").run() }
        expectEqual(failure?.message.hasPrefix("tell() was called, but no step mentions it"), true)
        let none = #expect(throws: PlanFailure.self) { try plan(.chosen, .tell).expectNoCalls().run() }
        expectEqual(none?.message, "expected no calls, got chosen(), tell()")
        let one = #expect(throws: PlanFailure.self) { try plan(.chosen, .tell).expectNone(of: tell).run() }
        expectEqual(one?.message, "expected no call of tell, got tell()")
        try plan(.chosen).expectNone(of: tell).expect(chosen()).run()
    }

    @Test("Each of several equal calls that were cancelled must be mentioned")
    func cancelledTwice() throws {
        let latest = Reducer<[Int], Int, Int, World>(
            transform: { _, _, world in world.none().job("none", .latest).eraseToAnyPublisher() }, apply: { $0.append($1) })
        func plan() -> Plan<[Int], Int, Int, World> {
            Plan(latest, given: []) { stubs in
                World(
                    none: stubs.publisher(none), two: stubs.publisher(two), three: stubs.publisher(three),
                    number: stubs.function(number, inOrder: []), next: stubs.function(next, inOrder: []),
                    chosen: stubs.function(chosen) { 9 }, tell: stubs.function(tell), ask: stubs.async(askNothing),
                    askTwo: stubs.async(askTwo), askThree: stubs.async(askThree))
            }.when(1).when(2).when(3)
        }
        try plan().cancelled(none()).cancelled(none()).resolve(none(), with: 1).then(equals: [1]).run()
        let failure = #expect(throws: PlanFailure.self) { try plan().cancelled(none()).resolve(none(), with: 1).run() }
        expectEqual(failure?.message.contains("no step mentions it; it was cancelled"), true)
        let waits = #expect(throws: PlanFailure.self) { try self.plan(.none).cancelled(none()).run() }
        expectEqual(waits?.message, "none() was not cancelled: it waits for its answer")
        let absent = #expect(throws: PlanFailure.self) { try self.plan().cancelled(none()).run() }
        expectEqual(
            absent?.message, "none() was expected to be cancelled, but it was not called\nThere were no unexpected calls")
    }
}

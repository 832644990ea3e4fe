import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable {
    var first: @Sendable (Int) async -> Int
    var second: @Sendable (Int) async -> Int
}

private let first = Stub<Int, Int, Never>("first")
private let second = Stub<Int, Int, Never>("second")

/// The maximal number of events. With three, an exploration takes ten times as long as with two.
private let mostEvents = Budget.size(3, quick: 2)

/// Each event makes two calls, one after the other, and then adds their result.
private func callingTwice(_ job: (@Sendable (Int) -> String)? = nil) -> Exploration<[Int], Int, Int, Calls> {
    Exploration(
        Reducer(
            transform: { _, event, calls in
                let effects = AnyPublisher<Int, Never>.run { send in send(await calls.second(await calls.first(event)) + event) }
                return job.map { effects.job($0(event), .latest).eraseToAnyPublisher() } ?? effects
            }, apply: { (state: inout [Int], effect: Int) in state.append(effect) }),
        given: []
    ) { Calls(first: $0.async(first), second: $0.async(second)) }
    .events([100, 200, 300], atMost: mostEvents)
    .answers(first, with: [1, 2])
    .answers(second, with: [10])
}

@Suite("Exploration: independent choices")
struct OrderTests {
    @Test("An outcome that only its own effect can observe is tried in one order, with fewer nodes and the same states")
    func fewer() throws {
        let (once, all) = (try callingTwice().run(), try callingTwice().tryingAllOrders().run())
        expect(once.isReduced && !all.isReduced)
        expectEqual(once.states, all.states)
        // The reduction grows with the number of events.
        let share = Budget.isExhaustive ? 2.0 / 3 : 5.0 / 6
        expect(Double(once.nodes) < share * Double(all.nodes))
        expect(once.description.contains("independent choices in one order"))
    }

    @Test("A counterexample is as short as if all orders were tried")
    func shortest() {
        for target in Budget.sample([[110], [110, 210], [310, 110]]) {
            let failures = [false, true].map { isAll in
                let exploration = callingTwice().never("here") { $0 == target }
                return #expect(throws: ExplorationFailure.self) {
                    try (isAll ? exploration.tryingAllOrders() : exploration).run()
                }
            }
            expectEqual(
                failures[0]?.name.split(separator: " ").count, failures[1]?.name.split(separator: " ").count, "\(target)")
        }
    }

    @Test("A replaced effect has the same outcomes in one order and in all")
    func replaced() throws {
        let (once, all) = (try callingTwice { "\($0 % 200)" }.run(), try callingTwice { "\($0 % 200)" }.tryingAllOrders().run())
        expectEqual(once.states, all.states)
        expect(once.nodes < all.nodes)
    }

    @Test("An exploration of a limited depth finds a counterexample of that depth that another order would make longer")
    func limited() throws {
        let reducer = Reducer<[Int], Int, Int, Calls>(
            transform: { state, event, calls in
                if event == 1 { return .run { _ in _ = await calls.second(await calls.first(1)) }.prepend(1) }
                return state.isEmpty ? .none : .just(event)
            }, apply: { (state: inout [Int], effect: Int) in state = [effect] })
        let exploration = Exploration(reducer, given: []) { Calls(first: $0.async(first), second: $0.async(second)) }
            .events([1, 2]).answers(first, with: [1]).answers(second, with: [10]).never("two") { $0 == [2] }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.limited(depth: 2).run() }
        expectEqual(failure?.name, "e0 e1")
        try exploration.limited(depth: 1).run()
    }

    @Test("An exploration that another limit ends before that of the depth is not repeated in all orders")
    func notRepeated() throws {
        let report = try callingTwice().limited(nodes: 20, depth: 100).run()
        expect(report.isReduced && report.nodes == 20)
    }

    @Test("All orders are tried with a property of the kind `eventually`")
    func eventually() throws {
        let report = try callingTwice().eventually("it answers", after: { _ in false }, until: { !$0.isEmpty }).run()
        expect(!report.isReduced)
    }
}

/// An effect of two calls, one after the other, the first of which is a job that another event cancels.
private struct Handed: Hashable, Sendable {
    var hasBegun = false
    var result = 0
}

@Suite("Exploration: jobs that are followed by another stream")
struct FollowedJobTests {
    private enum Event: Hashable, Sendable { case go, stop }
    private enum Effect: Hashable, Sendable {
        case begun
        case result(Int)
    }
    private struct World: Sendable {
        var one: @Sendable (Int) async throws -> Int
        var two: @Sendable (Int) async throws -> Int
    }
    private let one = Stub<Int, Int, any Error>("one")
    private let two = Stub<Int, Int, any Error>("two")

    private var exploration: Exploration<Handed, Event, Effect, World> {
        Exploration(
            Reducer(
                transform: { _, event, world in
                    guard event == .go else { return .cancelJob("x") }
                    let first: AnyPublisher<Effect, Never> = .run { _ in
                        _ = try await world.one(1)
                    } catch: { _ in
                        .result(9)
                    }
                    let second: AnyPublisher<Effect, Never> = .run { send in
                        send(.result(try await world.two(1)))
                    } catch: { _ in
                        .result(9)
                    }
                    return first.job("x", .latest).append(second).prepend(Just(.begun)).eraseToAnyPublisher()
                },
                apply: { state, effect in
                    switch effect {
                    case .begun: state.hasBegun = true
                    case .result(let number): state.result = number
                    }
                }), given: Handed()
        ) { World(one: $0.async(one), two: $0.async(two)) }
        .answers(one, never: true) { _ in [] }
        .answers(two) { _ in [.answer(7)] }
        .always("never 7") { $0.result != 7 }
    }

    @Test("A stream that follows a job is explored when another event has cancelled the job")
    func cancelled() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploration.events { $0.hasBegun ? [.stop] : [.go] }.run()
        }
        expectEqual(failure?.name.split(separator: " ").count, 3)
    }
}

@Suite("Exploration: a cancellation of a job that may not be in flight")
struct MissedCancellationTests {
    private enum Event: Hashable, Sendable { case logOut, sync }
    private enum Effect: Hashable, Sendable {
        case loggingOut
        case syncing(Bool)
    }
    private struct Account: Hashable, Sendable {
        var isLoggingOut = false
        var isSyncing = false
    }
    private struct World: Sendable {
        var revoke: @Sendable (Int) async -> Int
        var fetch: @Sendable (Int) async -> Int
    }
    private let revoke = Stub<Int, Int, Never>("revoke")
    private let fetch = Stub<Int, Int, Never>("fetch")

    @Test("An answer after which a stream cancels a job is tried before and after the job begins")
    func missed() {
        let account = Reducer<Account, Event, Effect, World>(
            transform: { _, event, world in
                let waiting = AnyPublisher<Effect, Never>.run { _ in _ = await world.revoke(1) }
                guard event == .logOut else {
                    return .run { send in
                        _ = await world.fetch(1)
                        send(.syncing(false))
                    }.job("sync").prepend(.syncing(true)).eraseToAnyPublisher()
                }
                return waiting.append(AnyPublisher<Effect, Never>.cancelJob("sync")).append(waiting).prepend(.loggingOut)
                    .eraseToAnyPublisher()
            },
            apply: { (state: inout Account, effect: Effect) in
                switch effect {
                case .loggingOut: state.isLoggingOut = true
                case .syncing(let isSyncing): state.isSyncing = isSyncing
                }
            })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(account, given: Account()) { World(revoke: $0.async(revoke), fetch: $0.async(fetch)) }
                .events { !$0.isLoggingOut ? [.logOut] : $0.isSyncing ? [] : [.sync] }
                .answers(revoke, with: [1]).answers(fetch, with: [1])
                .whenQuiet("no sync is shown") { !$0.isSyncing }.run()
        }
        // The answer that cancels the job comes behind its beginning.
        expectEqual(failure?.name, "e0 e0 a0.0 a0.0")
    }
}

@Suite("Exploration: several threads")
struct CoresTests {
    @Test("An exploration on all cores has the same verdict as one on a single core")
    func verdict() throws {
        let (one, all) = (try callingTwice().run(), try callingTwice().onAllCores().run())
        expectEqual(one.description, all.description)
        expectEqual(one.levels, all.levels)
    }

    @Test("An exploration on all cores finds the same counterexample as one on a single core")
    func trace() {
        let exploration = callingTwice().never("all have ended") { $0.count == mostEvents }
        let one = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        let all = #expect(throws: ExplorationFailure.self) { try exploration.onAllCores().run() }
        expectEqual(one?.description, all?.description)
        expectEqual(one?.name.isEmpty, false)
    }

    @Test(
        "An exploration by values on all cores has the same verdict and finds the same counterexample as one on a single core")
    func byValues() throws {
        let reducer = Reducer<Puzzle, Int, Int, Void>(
            transform: { _, square, _ in .just(square) },
            apply: { (puzzle: inout Puzzle, square: Int) in puzzle.slide(from: square) })
        let exploration = Exploration(reducer, given: Puzzle()) { _ in }.events { $0.moves }.limited(depth: 12)
        try expectEqual(exploration.run().description, exploration.onAllCores().run().description)
        let search = exploration.never("the gap is in the corner, and 1 beside it") { $0.gap == 0 && $0.tile(1) == 1 }
        let one = #expect(throws: ExplorationFailure.self) { try search.run() }
        let all = #expect(throws: ExplorationFailure.self) { try search.onAllCores().run() }
        expectEqual(one?.name, all?.name)
    }
}

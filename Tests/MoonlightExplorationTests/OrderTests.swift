import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

private struct Calls: Sendable {
    var first: @Sendable (Int) async -> Int
    var second: @Sendable (Int) async -> Int
}

private let first = Stub<Int, Int, Never>("first")
private let second = Stub<Int, Int, Never>("second")

/// Each event calls twice, one after the other, and then adds what came of it.
private func callingTwice(_ job: (@Sendable (Int) -> String)? = nil) -> Exploration<[Int], Int, Int, Calls> {
    Exploration(
        Reducer(
            transform: { _, event, calls in
                let effects = AnyPublisher<Int, Never>.run { send in send(await calls.second(await calls.first(event)) + event) }
                return job.map { effects.job($0(event), .latest).eraseToAnyPublisher() } ?? effects
            }, apply: { (state: inout [Int], effect: Int) in state.append(effect) }),
        given: []
    ) { Calls(first: $0.async(first), second: $0.async(second)) }
    .events([100, 200, 300], atMost: 3)
    .answers(first, with: [1, 2])
    .answers(second, with: [10])
}

@Suite("Exploration: independent choices")
struct OrderTests {
    @Test("an outcome that only lets its effect go on is not tried in all orders: fewer moments, the same states")
    func fewer() throws {
        let (once, all) = (try callingTwice().run(), try callingTwice().tryingAllOrders().run())
        #expect(once.isReduced && !all.isReduced)
        #expect(once.states == all.states)
        #expect(once.moments < 2 * all.moments / 3)
        #expect(once.description.contains("independent choices in one order"))
    }

    @Test("what is found has a story as short as in all orders, although outcomes are given at once otherwise")
    func shortest() {
        for target in [[110], [110, 210], [310, 110]] {
            let failures = [false, true].map { isAll in
                let exploration = callingTwice().never("here") { $0 == target }
                return #expect(throws: ExplorationFailure.self) {
                    try (isAll ? exploration.tryingAllOrders() : exploration).run()
                }
            }
            #expect(failures[0]?.name.split(separator: " ").count == failures[1]?.name.split(separator: " ").count)
        }
    }

    @Test("an effect that is replaced in between ends the same way in both orders")
    func replaced() throws {
        let (once, all) = (try callingTwice { "\($0 % 200)" }.run(), try callingTwice { "\($0 % 200)" }.tryingAllOrders().run())
        #expect(once.states == all.states)
        #expect(once.moments < all.moments)
    }

    @Test("if something must happen eventually, all orders are tried")
    func eventually() throws {
        let report = try callingTwice().eventually("it answers", after: { _ in false }, until: { !$0.isEmpty }).run()
        #expect(!report.isReduced)
    }
}

@Suite("Exploration: on all cores")
struct CoresTests {
    @Test("the verdict is the same as on one")
    func verdict() throws {
        let (one, all) = (try callingTwice().run(), try callingTwice().onAllCores().run())
        #expect(one.description == all.description)
        #expect(one.levels == all.levels)
    }

    @Test("the shortest story is the same as on one")
    func story() {
        let exploration = callingTwice().never("three") { $0.count == 3 }
        let one = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        let all = #expect(throws: ExplorationFailure.self) { try exploration.onAllCores().run() }
        #expect(one?.description == all?.description)
        #expect(one?.name.isEmpty == false)
    }

    @Test("by values, too: the states of a puzzle, and the way to one of them")
    func byValues() throws {
        let reducer = Reducer<Puzzle, Int, Int, Void>(
            transform: { _, square, _ in .just(square) },
            apply: { (puzzle: inout Puzzle, square: Int) in puzzle.slide(from: square) })
        let exploration = Exploration(reducer, given: Puzzle()) { _ in }.events { $0.moves }.limited(depth: 12)
        #expect(try exploration.run().description == exploration.onAllCores().run().description)
        let search = exploration.never("the gap is in the corner, and 1 beside it") { $0.gap == 0 && $0.tile(1) == 1 }
        let one = #expect(throws: ExplorationFailure.self) { try search.run() }
        let all = #expect(throws: ExplorationFailure.self) { try search.onAllCores().run() }
        #expect(one?.name == all?.name)
    }
}

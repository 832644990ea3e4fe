import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

private struct Failed: Error, Equatable {}
private let ask = Stub<Int, Int, Failed>("ask")
private typealias Ask = @Sendable (Int) -> AnyPublisher<Int, Failed>

/// Counts to three, if answered; nothing leads on from there.
private func counting(
    feedback: (@Sendable (AnyPublisher<Int, Never>, @escaping Ask) -> [AnyPublisher<Int, Never>])? = nil
) -> Exploration<Int, Int, Int, Ask> {
    let reducer = Reducer<Int, Int, Int, Ask>(
        transform: { state, _, ask in
            state >= 2 ? .none : ask(state).catch { _ in Just(0) }.eraseToAnyPublisher()
        },
        apply: { (state: inout Int, effect: Int) in state += effect })
    return Exploration(reducer, given: 0, feedback: feedback) { $0.publisher(ask) }
        .events { state in state < 4 ? [1] : [] }.answers(ask) { _ in [.answer(2)] }
}

@Suite("Exploration: dead ends")
struct DeadEndTests {
    @Test("the story of a dead end is told again when it is replayed")
    func replays() throws {
        let failure = #expect(throws: ExplorationFailure.self) { try counting().noDeadEnds().run() }
        #expect(failure?.name == "e0 a0.0")
        let again = #expect(throws: ExplorationFailure.self) { try counting().noDeadEnds().replay("e0 a0.0") }
        #expect(again?.message == failure?.message)
        #expect(again?.story == failure?.story)
    }

    @Test("by values, too")
    func replaysValues() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(reducer, given: 0) { _ in }.events { state in state == 2 ? [2] : [state + 1] }.noDeadEnds()
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        #expect(failure?.name == "e0 e0")
        let again = #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 e0") }
        #expect(again?.message == failure?.message)
        #expect(throws: Never.self) { try exploration.replay("e0") }
    }

    @Test("what is live leads on, as does what an event changes; and an end may be one")
    func goesOn() throws {
        let exploration = counting().noDeadEnds()
        #expect(throws: Never.self) { try exploration.replay("") }
        #expect(throws: Never.self) { try exploration.replay("e0") }
        #expect(throws: Never.self) { try counting().noDeadEnds { $0 == 2 }.replay("e0 a0.0") }
        #expect(throws: Never.self) { try counting().noDeadEnds { $0 >= 2 }.limited(depth: 4).run() }
        #expect(throws: Never.self) { try counting().replay("e0 a0.0") }
    }

    @Test("a program with feedback has dead ends, too")
    func hasFeedback() throws {
        let exploration = counting(feedback: { _, _ in [] }).noDeadEnds()
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.limited(depth: 4).run() }
        #expect(failure?.name == "e0 a0.0")
    }

    @Test("that the loop can be cancelled is no way on")
    func isCancelled() throws {
        let failure = #expect(throws: ExplorationFailure.self) { try counting().cancelsAnywhere().noDeadEnds().run() }
        #expect(failure?.name == "e0 a0.0")
        #expect(throws: ExplorationFailure.self) { try counting().cancelsAnywhere().noDeadEnds().replay("e0 a0.0") }
    }
}

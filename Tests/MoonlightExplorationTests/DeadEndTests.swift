import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct Failed: Error, Equatable {}
private let ask = Stub<Int, Int, Failed>("ask")
private typealias Ask = @Sendable (Int) -> AnyPublisher<Int, Failed>

/// Counts to three if its calls are answered, and ends there.
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
    @Test("The replay of a dead end that was found reports the same dead end")
    func replays() throws {
        let failure = #expect(throws: ExplorationFailure.self) { try counting().noDeadEnds().run() }
        expectEqual(failure?.name, "e0 a0.0")
        let again = #expect(throws: ExplorationFailure.self) { try counting().noDeadEnds().replay("e0 a0.0") }
        expectEqual(again?.message, failure?.message)
        expectEqual(again?.trace, failure?.trace)
    }

    @Test("The replay of a dead end that was found by values reports the same dead end")
    func replaysValues() throws {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, effect: Int) in state = effect })
        let exploration = Exploration(reducer, given: 0) { _ in }.events { state in state == 2 ? [2] : [state + 1] }.noDeadEnds()
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure?.name, "e0 e0")
        let again = #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 e0") }
        expectEqual(again?.message, failure?.message)
        #expect(throws: Never.self) { try exploration.replay("e0") }
    }

    @Test("A node with a live effect or an event that changes the state is no dead end, nor is a declared end")
    func goesOn() throws {
        let exploration = counting().noDeadEnds()
        #expect(throws: Never.self) { try exploration.replay("") }
        #expect(throws: Never.self) { try exploration.replay("e0") }
        #expect(throws: Never.self) { try counting().noDeadEnds { $0 == 2 }.replay("e0 a0.0") }
        #expect(throws: Never.self) { try counting().noDeadEnds { $0 >= 2 }.limited(depth: 4).run() }
        #expect(throws: Never.self) { try counting().replay("e0 a0.0") }
    }

    @Test("A dead end is found in a program with feedback")
    func hasFeedback() throws {
        let exploration = counting(feedback: { _, _ in [] }).noDeadEnds()
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.limited(depth: 4).run() }
        expectEqual(failure?.name, "e0 a0.0")
    }

    @Test("A node whose only choice is the cancellation of the loop is a dead end")
    func isCancelled() throws {
        let failure = #expect(throws: ExplorationFailure.self) { try counting().cancelsAnywhere().noDeadEnds().run() }
        expectEqual(failure?.name, "e0 a0.0")
        #expect(throws: ExplorationFailure.self) { try counting().cancelsAnywhere().noDeadEnds().replay("e0 a0.0") }
    }
}

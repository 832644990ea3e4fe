import Moonlight
import MoonlightExploration
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private func counting(_ change: @escaping @Sendable (inout Int, Int) -> Void) -> Exploration<Int, Int, Int, Void> {
    Exploration(
        Reducer(transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in change(&state, event) }),
        given: 0
    ) { _ in }
}

/// Not optimized, as the calls could become a loop; and without an allocation, since a stack that overflows within the allocator
/// would leave its lock locked.
@_optimize(none) private func recursion(_ depth: Int) -> Int { depth == .max ? 0 : recursion(depth + 1) + 1 }

private struct Calls: Sendable { var wait: @Sendable (Int) async -> Int }
private let wait = Stub<Int, Int, Never>("wait")

@Suite("Exploration: crashes and endless loops are violations, and the run goes on")
struct CrashTests {
    @Test("A failed precondition in apply is a violation, with the shortest sequence of events that leads to it")
    func precondition() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in
                state += event
                Swift.precondition(state < 3, "Three is too many.")
            }
            .events([1]).run()
        }
        expectEqual(failure?.name, "e0 e0 e0")
        expectEqual(
            failure?.message,
            """
            "it comes to an end and does not crash" does not hold: a trap, such as a precondition, an overflow or an index out \
            of range
            """)
        expectEqual(
            failure?.story,
            """
            Given
                0
            When 1
                0 → 1
            When 1
                1 → 2
            When 1
            """)
    }

    @Test("An exploration on all cores finds the crash with the shortest sequence of events")
    func onAllCores() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in state = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5][state + event]! }.events([1, 2]).onAllCores()
                .run()
        }
        expect(failure?.name == "e0 e0 e0 e0 e0 e0" || failure?.name == "e1 e1 e1")
        expectEqual(failure?.name, "e1 e1 e1")
    }

    @Test("Endless recursion is a violation")
    func recursionWithoutEnd() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in state = event == 1 ? recursion(0) : event }.events([0, 1]).run()
        }
        expectEqual(failure?.name, "e1")
        expectEqual(failure?.message.hasSuffix("an invalid access to memory, such as a recursion without end"), true)
    }

    @Test("A property that crashes is a violation")
    func property() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { $0 = $1 }.events([4]).always("its reciprocal is small") { 8 / ($0 - 4) < 5 }.run()
        }
        expectEqual(failure?.name, "e0")
    }

    @Test("A failed precondition in the body of an effect is a violation")
    func body() {
        let reducer = Reducer<Int, Int, Int, Calls>(
            transform: { _, event, calls in
                .run { send in
                    let answer = await calls.wait(event)
                    Swift.precondition(answer != 7, "Seven is unlucky.")
                    send(answer)
                }
            }, apply: { (state: inout Int, effect: Int) in state = effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: 0) { Calls(wait: $0.async(wait)) }
                .events([1], atMost: 1).answers(wait, with: [5, 7]).run()
        }
        expectEqual(failure?.name, "e0 a0.1")
        expectEqual(failure?.story.hasSuffix("wait(1) answers 7"), true)
    }

    @Test("An endless loop is a violation")
    func stuck() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in while event == 9 && state >= 0 { state = state &+ 1 & 7 } }
                .events([1, 9]).limited(choice: .milliseconds(200)).run()
        }
        expectEqual(failure?.name, "e1")
        expectEqual(failure?.message.hasSuffix("this has not come to an end within 0.2 seconds"), true)
    }

    @Test("Events that follow from each other without end are a violation", .enabled(if: Budget.isExhaustive))
    func endless() {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state &+= event })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(
                reducer, given: 0,
                feedback: { states, _ in [states.compactMap { $0 > 0 ? 1 : nil }.eraseToAnyPublisher()] }
            ) { _ in }
            // A sanitizer on a busy machine needs its time for so many.
            .events([0, 1], atMost: 1).limited(choice: .seconds(600)).run()
        }
        expectEqual(failure?.name, "e1")
        expectEqual(failure?.message.hasSuffix("more than 100000 events and effects follow from this"), true)
    }

    @Test("An exploration after a crash finds the same as without the crash before")
    func afterwards() throws {
        _ = #expect(throws: ExplorationFailure.self) { try counting { _, _ in fatalError("Gone.") }.events([1]).run() }
        try expectEqual(counting { $0 = ($0 + $1) % 5 }.events([1]).run().states, 5)
    }
}

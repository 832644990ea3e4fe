import Moonlight
import MoonlightExploration
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

@Suite("Exploration: what crashes or never ends is found, and the run goes on")
struct CrashTests {
    @Test("a precondition in apply is a violation, with the shortest story")
    func precondition() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in
                state += event
                Swift.precondition(state < 3, "Three is too many.")
            }
            .events([1]).run()
        }
        #expect(failure?.name == "e0 e0 e0")
        #expect(
            failure?.message == """
                "it comes to an end and does not crash" does not hold: a trap, such as a precondition, an overflow or an index out \
                of range
                """)
        #expect(
            failure?.story == """
                Given
                    0
                When 1
                    0 → 1
                When 1
                    1 → 2
                When 1
                """)
    }

    @Test("a crash is found on all cores, and is the same one")
    func onAllCores() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in state = [1: 1, 2: 2, 3: 3, 4: 4, 5: 5][state + event]! }.events([1, 2]).onAllCores()
                .run()
        }
        #expect(failure?.name == "e0 e0 e0 e0 e0 e0" || failure?.name == "e1 e1 e1")
        #expect(failure?.name == "e1 e1 e1")
    }

    @Test("a recursion without end is a violation")
    func recursionWithoutEnd() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in state = event == 1 ? recursion(0) : event }.events([0, 1]).run()
        }
        #expect(failure?.name == "e1")
        #expect(failure?.message.hasSuffix("an invalid access to memory, such as a recursion without end") == true)
    }

    @Test("a property that crashes is a violation, too")
    func property() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { $0 = $1 }.events([4]).always("its reciprocal is small") { 8 / ($0 - 4) < 5 }.run()
        }
        #expect(failure?.name == "e0")
    }

    @Test("a precondition in the body of an effect is a violation")
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
        #expect(failure?.name == "e0 a0.1")
        #expect(failure?.story.hasSuffix("wait(1) answers 7") == true)
    }

    @Test("a loop without end is a violation")
    func stuck() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in while event == 9 && state >= 0 { state = state &+ 1 & 7 } }
                .events([1, 9]).limited(choice: .milliseconds(300)).run()
        }
        #expect(failure?.name == "e1")
        #expect(failure?.message.hasSuffix("this has not come to an end within 0.3 seconds") == true)
    }

    @Test("events that follow from each other without end are a violation")
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
        #expect(failure?.name == "e1")
        #expect(failure?.message.hasSuffix("more than 100000 events and effects follow from this") == true)
    }

    @Test("after a crash, another exploration finds what it would have found")
    func afterwards() throws {
        _ = #expect(throws: ExplorationFailure.self) { try counting { _, _ in fatalError("Gone.") }.events([1]).run() }
        #expect(try counting { $0 = ($0 + $1) % 5 }.events([1]).run().states == 5)
    }
}

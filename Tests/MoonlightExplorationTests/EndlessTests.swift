import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Synchronization
import Testing

@testable import MoonlightExploration

private func counting(_ change: @escaping @Sendable (inout Int, Int) -> Void) -> Exploration<Int, Int, Int, Void> {
    Exploration(
        Reducer(transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in change(&state, event) }),
        given: 0
    ) { _ in }
}

private struct Calls: Sendable { var wait: @Sendable (Int) async -> Int }
private let wait = Stub<Int, Int, Never>("wait")

@Suite("Exploration: endless loops and crashes")
struct EndlessTests {
    @Test("The last line of a traced exploration names the choices up to the current one", arguments: [false, true])
    func traced(onAllCores: Bool) throws {
        let lines = Lock([String]())
        let last = Lock([Int: String]())
        var exploration = counting { state, event in
            state += event
            last.withLock { last in if last[state] == nil { last[state] = lines.withLock { $0.last } } }
        }
        .events([1]).always("it is below four") { $0 < 4 }
        if onAllCores { exploration = exploration.onAllCores() }
        exploration.trace = { line in lines.withLock { $0.append(line) } }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure?.name, "e0 e0 e0 e0")
        expectEqual(last.withLock { $0 }, [1: "e0", 2: "e0 e0", 3: "e0 e0 e0", 4: "e0 e0 e0 e0"])
    }

    @Test("The last line of a traced exploration names the outcome that is being given to a call")
    func tracedAnswers() throws {
        let lines = Lock([String]())
        let last = Lock([Int: String]())
        let reducer = Reducer<Int, Int, Int, Calls>(
            transform: { _, event, calls in
                .run { send in
                    let answer = await calls.wait(event)
                    last.withLock { last in if last[answer] == nil { last[answer] = lines.withLock { $0.last } } }
                    send(answer)
                }
            }, apply: { (state: inout Int, effect: Int) in state = effect })
        try Exploration(reducer, given: 0) { Calls(wait: $0.async(wait)) }
            .events([1], atMost: 1).answers(wait, with: [5, 7])
            .changed { $0.trace = { line in lines.withLock { $0.append(line) } } }
            .run()
        expectEqual(last.withLock { $0 }, [5: "e0 a0.0", 7: "e0 a0.1"])
    }

    @Test("An endless loop is a violation")
    func stuck() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try counting { state, event in while event == 9 && state >= 0 { state = state &+ 1 & 7 } }
                .events([1, 9]).limited(choice: .milliseconds(200)).run()
        }
        expectEqual(failure?.name, "e1")
        expectEqual(failure?.message.hasSuffix("this has not ended within 0.2 seconds"), true)
    }

    @Test("An endless chain of events is a violation", .enabled(if: Budget.isExhaustive))
    func endless() {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state &+= event })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(
                reducer, given: 0,
                feedback: { states, _ in [states.compactMap { $0 > 0 ? 1 : nil }.eraseToAnyPublisher()] }
            ) { _ in }
            // A sanitizer on a busy machine is slow with so many events.
            .events([0, 1], atMost: 1).limited(choice: .seconds(600)).run()
        }
        expectEqual(failure?.name, "e1")
        expectEqual(failure?.message.hasSuffix("more than 100000 events and effects follow from this"), true)
    }

    /// An exploration with feedback that sends an event for each state below five.
    private func chained(
        from given: Int, _ event: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>
    ) -> Exploration<Int, Int, Int, Void> {
        Exploration(
            Reducer(
                transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state = event }),
            given: given,
            feedback: { states, _ in [states.flatMap { $0 < 5 ? event($0) : .none }.eraseToAnyPublisher()] }
        ) { _ in }
        .events([7, 0]).limited(choice: .seconds(600)).changed { $0.limits.chain = 1000 }
    }

    @Test("An endless chain at the beginning is a violation, which an empty replay repeats", arguments: [false, true])
    func endlessAtFirst(throughTasks: Bool) {
        let exploration = chained(from: 0) { state in
            if !throughTasks { return .just(1 - state) }
            return .run { send in
                await Task.yield()
                send(1 - state)
            }
        }
        for failure in [
            #expect(throws: ExplorationFailure.self) { try exploration.run() },
            #expect(throws: ExplorationFailure.self) { try exploration.replay("") },
        ] {
            expectEqual(failure?.name, "")
            expectEqual(
                failure?.message,
                "\"every choice ends\" does not hold: more than 1000 events and effects follow from this")
        }
    }

    @Test("An endless chain is found again by a replay")
    func endlessReplay() {
        let exploration = chained(from: 9) { .just(1 - $0) }
        for failure in [
            #expect(throws: ExplorationFailure.self) { try exploration.run() },
            #expect(throws: ExplorationFailure.self) { try exploration.replay("e1") },
        ] {
            expectEqual(failure?.name, "e1")
            expectEqual(failure?.message.hasPrefix("\"every choice ends\""), true)
        }
    }

    @Test("An endless loop does not affect a later exploration")
    func afterwards() throws {
        let isReleased = Atomic(false)
        _ = #expect(throws: ExplorationFailure.self) {
            try counting { _, _ in while !isReleased.load(ordering: .relaxed) {} }
                .events([1]).limited(choice: .milliseconds(200)).run()
        }
        try expectEqual(counting { $0 = ($0 + $1) % 5 }.events([1]).run().states, 5)
        isReleased.store(true, ordering: .relaxed)
    }
}

import Foundation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightExploration

/// A number that events change.
private func number(_ change: @escaping @Sendable (inout Int, Int) -> Void) -> Reducer<Int, Int, Int, Void> {
    Reducer(transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in change(&state, event) })
}

private func exploring(_ reducer: Reducer<Int, Int, Int, Void>) -> Exploration<Int, Int, Int, Void> {
    Exploration(reducer, given: 0) { _ in }
}

private struct Calls: Sendable { var ask: @Sendable (Int) -> AnyPublisher<Int, Never> }
// Sound: behind its lock.
private final class Lock<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()
    init(_ value: Value) { self.value = value }
    func withLock<T>(_ body: (inout Value) -> T) -> T { lock.withLock { body(&value) } }
}

private let ask = Stub<Int, Int, Never>("ask")

/// A list of the answers; each event makes a call.
private func asking(
    _ answer: @escaping @Sendable (Int, Calls) -> AnyPublisher<Int, Never>
) -> Exploration<[Int], Int, Int, Calls> {
    Exploration(
        Reducer(
            transform: { _, event, calls in answer(event, calls) },
            apply: { (state: inout [Int], effect: Int) in state.append(effect) }),
        given: []
    ) { Calls(ask: $0.publisher(ask)) }
}

@Suite("Exploration: properties")
struct PropertyTests {
    @Test("A property is checked in each state that an event causes, and not only in the last")
    func statesOnTheWay() {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in [event, -event].publisher.eraseToAnyPublisher() },
            apply: { (state: inout Int, effect: Int) in state += effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: 0) { _ in }.events([7]).always("below five") { $0 < 5 }.run()
        }
        expectEqual(failure?.message, "\"below five\" does not hold of 7")
        expectEqual(failure?.name, "e0")
    }

    @Test("A state that must never occur is found, with the shortest counterexample")
    func never() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = ($0 + $1) % 8 }).events([1, 3]).never("six") { $0 == 6 }.run()
        }
        expectEqual(failure?.name, "e1 e1")
    }

    @Test("A node from which a goal cannot be reached is found")
    func canAlways() {
        // Five is a dead end.
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { if $0 != 5 { $0 = ($0 + $1) % 8 } }).events([1]).canAlways("come back to zero") { $0 == 0 }
                .run()
        }
        expectEqual(failure?.message, "\"can always come back to zero\" cannot be reached any more")
        expectEqual(failure?.name, "e0")
    }

    @Test("A limit on the number of events does not make a goal unreachable, in an exploration by values")
    func canAlwaysLimited() throws {
        try exploring(number { $0 = ($0 + $1) % 2 }).events([1], atMost: 3).canAlways("come back to zero") { $0 == 0 }.run()
        // Ninety-nine is reached only by the last event.
        try exploring(number { $0 = $0 < 2 ? $0 + $1 : 99 }).events([1], atMost: 3).canAlways("come back") { $0 < 2 }.run()
    }

    @Test("A goal that becomes unreachable before the limit of events is reached is reported")
    func canAlwaysLimitedAndLost() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = min($0 + $1, 2) }).events([1], atMost: 4).canAlways("come back to zero") { $0 == 0 }.run()
        }
        expectEqual(failure?.name, "e0")
    }

    @Test("A limit on the number of events does not make a goal unreachable, in an exploration that plays a loop")
    func canAlwaysLimitedPlays() throws {
        let asking = Reducer<[Int], Int, Int, Calls>(
            transform: { state, event, calls in
                state == [0] ? .none : calls.ask(event).prepend(0).eraseToAnyPublisher()
            },
            apply: { (state: inout [Int], effect: Int) in state = effect == 0 ? [0] : [] })
        let exploration = Exploration(asking, given: []) { Calls(ask: $0.publisher(ask)) }.events([1], atMost: 2)
            .answers(ask, with: [7])
        try exploration.canAlways("come back") { $0.isEmpty }.run()
        #expect(throws: ExplorationFailure.self) { try exploration.canAlways("come to eight") { $0 == [8] }.run() }
    }

    @Test("A goal of `eventually` that nothing can reach any more is reported")
    func owed() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = ($0 + $1) % 4 }).events([1]).eventually("zero", after: { $0 == 2 }, until: { $0 == 0 })
                .run()
        }
        expectEqual(failure?.name, "e0 e0")
    }

    @Test("A replay reports a goal of `eventually` that is not reached by its end")
    func replayOwed() throws {
        let exploration = exploring(number { $0 = ($0 + $1) % 4 }).events([1])
            .eventually("zero", after: { $0 == 2 }, until: { $0 == 0 })
        for trace in ["e0 e0", "e0 e0 e0"] {
            let failure = #expect(throws: ExplorationFailure.self) { try exploration.replay(trace) }
            expectEqual(failure?.message, "\"zero\" does not happen: nothing that is pending can lead to it")
            expectEqual(failure?.name, trace)
        }
        try exploration.replay("e0")
        try exploration.replay("e0 e0 e0 e0")
    }

    @Test("An empty replay reports a goal of `eventually` that is pending from the beginning")
    func replayOwedAtFirst() throws {
        let exploration = exploring(number { $0 += $1 }).events([1]).eventually("two", until: { $0 == 2 })
        #expect(throws: ExplorationFailure.self) { try exploration.replay("") }
        try exploration.replay("e0 e0")
    }

    @Test("A replay that ends with an open call does not report a goal that its answer may reach")
    func replayOpen() throws {
        let waiting = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1).answers(ask, with: [1], failing: [])
        try waiting.eventually("an answer", after: { $0 == [0] }, until: { $0.count == 2 }).replay("e0")
        #expect(throws: ExplorationFailure.self) {
            try waiting.eventually("two answers", after: { $0 == [0] }, until: { $0.count == 3 }).replay("e0 a0.0")
        }
    }

    @Test("A call is assumed to be answered eventually, unless its rule says `never`")
    func fairness() throws {
        let waiting = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1)
            .eventually("an answer", after: { $0 == [0] }, until: { $0.count == 2 })
        try waiting.answers(ask, with: [1]).run()
        let failure = #expect(throws: ExplorationFailure.self) { try waiting.answers(ask, with: [1], never: true).run() }
        expectEqual(failure?.name, "e0")
    }

    @Test("A stream that stays open, and has no further outcome, can lead to no goal")
    func nothingLeft() {
        // The first event begins a stream beside the second one, whose goal nothing reaches.
        let exploration = asking { event, calls in
            event == 1 ? calls.ask(1).prepend(1).eraseToAnyPublisher() : .just(event)
        }
        .answers(ask, atMost: 1) { _ in [.send(7)] }.events { $0.isEmpty ? [1] : $0 == [1, 7] ? [2] : [] }
        .eventually("three", after: { $0.contains(2) }, until: { $0.contains(3) })
        for failure in [
            #expect(throws: ExplorationFailure.self) { try exploration.run() },
            #expect(throws: ExplorationFailure.self) { try exploration.replay("e0 a0.0 e0") },
        ] {
            expectEqual(failure?.name, "e0 a0.0 e0")
            expectEqual(failure?.message, "\"three\" does not happen: nothing that is pending can lead to it")
        }
    }

    @Test("A verdict names the limit that has ended the exploration")
    func bounded() throws {
        let counting = exploring(number { $0 += $1 }).events([1, 2])
        let deep = try counting.limited(depth: 3).run()
        expectEqual(deep.extent, .bounded(by: "a depth of 3", left: 2))
        expect(deep.description.hasPrefix("bounded by a depth of 3: 7 states, 7 nodes"))
        let large = try counting.limited(nodes: 10).run()
        expectEqual(large.extent, .bounded(by: "10 nodes", left: 2))
        expectEqual(large.nodes, 10)
    }

    @Test("A goal of `eventually` that is pending at the end of a trace of the limited depth is a violation")
    func boundedEventually() throws {
        let counting = exploring(number { $0 += $1 }).events([1]).eventually("never two", after: { $0 == 2 }, until: { $0 != 2 })
        let failure = #expect(throws: ExplorationFailure.self) { try counting.limited(depth: 2).run() }
        expectEqual(failure?.name, "e0 e0")
        try counting.limited(depth: 1).run()
    }

    @Test("Nodes that were not expanded are assumed to reach any goal")
    func boundedCanAlways() throws {
        try exploring(number { $0 += $1 }).events([1]).canAlways("be a hundred") { $0 == 100 }.limited(nodes: 10).run()
    }

    @Test("A program with memory outside its state is reported as not deterministic")
    func notDeterministic() {
        let count = Lock(0)
        let failure = #expect(throws: ExplorationFailure.self) {
            try asking { event, calls in
                let number = count.withLock {
                    $0 += 1
                    return $0
                }
                return calls.ask(event).prepend(number).eraseToAnyPublisher()
            }
            .events([1], atMost: 3).answers(ask, with: [1]).run()
        }
        expectEqual(failure?.message.hasPrefix("the program is not deterministic: played twice, \"e0\" has led"), true)
    }

    @Test("A call without a rule is reported")
    func noRule() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try asking { event, calls in calls.ask(event) }.events([1]).run()
        }
        expectEqual(failure?.message.hasPrefix("ask(1) was called, but has no outcomes"), true)
    }

    @Test("A replay plays the named choices again, and reports the first one that does not exist")
    func replay() throws {
        let exploration = asking { event, calls in calls.ask(event) }.events([1, 2], atMost: 2).answers(ask, with: [7, 8])
        try expectEqual(
            exploration.replay("e1 a0.1"),
            """
            Given
                []
            When 2
                calls ask(2)
            ask(2) answers 8
                [0]: nothing → 8
            """)
        #expect(throws: ExplorationFailure.self) { try exploration.replay("e1 b") }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.replay("e1 a1.0") }
        expectEqual(failure?.message, "the trace has no choice a1.0 after \"e1\"")
    }

    @Test("An advance of time is a choice, which runs the timers that are due next and no later ones")
    func time() throws {
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(
                Reducer<[Int], Int, Int, VirtualTimeScheduler>(
                    transform: { _, event, time in
                        Just(event).delay(for: .seconds(event), scheduler: time).eraseToAnyPublisher()
                    }, apply: { (state: inout [Int], effect: Int) in state.append(effect) }), given: []
            ) { $0.scheduler }
            .events([2, 1], atMost: 2).never("the later one is first") { $0 == [2, 1] }.run()
        }
        // Only if time advances before the shorter timer begins.
        expectEqual(failure?.name, "e0 t e1 t")
    }
}

@Suite("Exploration: pictures and cancellations")
struct PictureTests {
    private let traffic = exploring(number { $0 = ($0 + $1) % 3 }).events([1])

    @Test("A picture is written as text, as DOT and as Mermaid")
    func text() throws {
        var picture = try traffic.drawn { ["red", "green", "amber \"!\""][$0] }.run().picture
        picture?.marked = [.init(source: "red", choice: "When 1", target: "green")]
        expectEqual(
            picture?.text,
            """
            amber "!" --When 1--> red
            green --When 1--> amber "!"
            red --When 1--> green
            """)
        expectEqual(
            picture?.dot(),
            """
            digraph {
                node [shape=box]
                0 [label="red"]
                1 [label="green"]
                2 [label="amber \\"!\\""]
                0 -> 1 [label="When 1" color=red fontcolor=red]
                1 -> 2 [label="When 1"]
                2 -> 0 [label="When 1"]
            }
            """)
        picture?.marked = []
        expectEqual(
            picture?.mermaid(),
            """
            flowchart TD
                s0["red"]
                s1["green"]
                s2["amber #quot;!#quot;"]
                s0 -->|"When 1"| s1
                s1 -->|"When 1"| s2
                s2 -->|"When 1"| s0
            """)
    }

    @Test("States with the same label are drawn as one, and an exploration that is not drawn has no picture")
    func folded() throws {
        try expectEqual(
            traffic.drawn { $0 == 0 ? "stop" : "go" }.run().picture?.text,
            """
            go --When 1--> go
            go --When 1--> stop
            stop --When 1--> go
            """)
        try expect(traffic.run().picture == nil)
    }

    @Test("An effect that is cancelled from outside is not answered")
    func cancelled() throws {
        let asking = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1).answers(ask, with: [1])
            .whenQuiet("it has ended well") { $0 != [0] }
        try asking.run()
        let failure = #expect(throws: ExplorationFailure.self) { try asking.cancelsAnywhere().run() }
        expectEqual(failure?.name, "e0 c0")
        expectEqual(failure?.trace.hasSuffix("The effect of 1 is cancelled"), true)
    }

    @Test("Nothing happens after the loop is cancelled")
    func ended() throws {
        let report = try asking { event, calls in calls.ask(event) }.events([1], atMost: 1).answers(ask, with: [1]).run()
        let ending = try asking { event, calls in calls.ask(event) }.events([1], atMost: 1).answers(ask, with: [1])
            .cancelsAnywhere().run()
        expectEqual(report.nodes, 3)
        // Each of the three may end there; after its cancellation, the call is as if it had not been made.
        expectEqual(ending.nodes, 7)
    }
}

import Foundation
import Moonlight
import MoonlightExploration
import MoonlightTesting
import Streams
import Testing

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

/// A list of what was answered; each event asks.
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

@Suite("Exploration: what must hold")
struct PropertyTests {
    @Test("a state on the way counts, not only the last of an event")
    func statesOnTheWay() {
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in [event, -event].publisher.eraseToAnyPublisher() },
            apply: { (state: inout Int, effect: Int) in state += effect })
        let failure = #expect(throws: ExplorationFailure.self) {
            try Exploration(reducer, given: 0) { _ in }.events([7]).always("below five") { $0 < 5 }.run()
        }
        #expect(failure?.message == "\"below five\" does not hold of 7")
        #expect(failure?.name == "e0")
    }

    @Test("what must never be is found, with the shortest story")
    func never() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = ($0 + $1) % 8 }).events([1, 3]).never("six") { $0 == 6 }.run()
        }
        #expect(failure?.name == "e1 e1")
    }

    @Test("a moment from which a goal cannot be reached is found")
    func canAlways() {
        // Five is a dead end.
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { if $0 != 5 { $0 = ($0 + $1) % 8 } }).events([1]).canAlways("come back to zero") { $0 == 0 }
                .run()
        }
        #expect(failure?.message == "\"can always come back to zero\" cannot be reached any more, whatever happens")
        #expect(failure?.name == "e0")
    }

    @Test("what can be done after fewer events could be done after more: a limit of events makes no dead end")
    func canAlwaysLimited() throws {
        try exploring(number { $0 = ($0 + $1) % 2 }).events([1], atMost: 3).canAlways("come back to zero") { $0 == 0 }.run()
        // Ninety-nine is only found when no further event may come.
        try exploring(number { $0 = $0 < 2 ? $0 + $1 : 99 }).events([1], atMost: 3).canAlways("come back") { $0 < 2 }.run()
    }

    @Test("a dead end that is found before the limit of events is reached is one")
    func canAlwaysLimitedAndLost() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = min($0 + $1, 2) }).events([1], atMost: 4).canAlways("come back to zero") { $0 == 0 }.run()
        }
        #expect(failure?.name == "e0")
    }

    @Test("what can be done after fewer events could be done after more, also where stories are played")
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

    @Test("what is owed, with nothing left that could bring it about, is found")
    func owed() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try exploring(number { $0 = ($0 + $1) % 4 }).events([1]).eventually("zero", after: { $0 == 2 }, until: { $0 == 0 })
                .run()
        }
        #expect(failure?.name == "e0 e0")
    }

    @Test("a replay says what is owed at the end and does not happen, and nothing if it happens")
    func replayOwed() throws {
        let exploration = exploring(number { $0 = ($0 + $1) % 4 }).events([1])
            .eventually("zero", after: { $0 == 2 }, until: { $0 == 0 })
        for story in ["e0 e0", "e0 e0 e0"] {
            let failure = #expect(throws: ExplorationFailure.self) { try exploration.replay(story) }
            #expect(failure?.message == "\"zero\" does not happen: nothing is left that could bring it about")
            #expect(failure?.name == story)
        }
        try exploration.replay("e0")
        try exploration.replay("e0 e0 e0 e0")
    }

    @Test("what is owed from the beginning is owed in a replay of nothing")
    func replayOwedAtFirst() throws {
        let exploration = exploring(number { $0 += $1 }).events([1]).eventually("two", until: { $0 == 2 })
        #expect(throws: ExplorationFailure.self) { try exploration.replay("") }
        try exploration.replay("e0 e0")
    }

    @Test("a call that is open is answered in the end: until then a replay asks for nothing")
    func replayOpen() throws {
        let waiting = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1).answers(ask, with: [1], failing: [])
        try waiting.eventually("an answer", after: { $0 == [0] }, until: { $0.count == 2 }).replay("e0")
        #expect(throws: ExplorationFailure.self) {
            try waiting.eventually("two answers", after: { $0 == [0] }, until: { $0.count == 3 }).replay("e0 a0.0")
        }
    }

    @Test("a call gets an outcome in the end, unless it may stay open")
    func fairness() throws {
        let waiting = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1)
            .eventually("an answer", after: { $0 == [0] }, until: { $0.count == 2 })
        try waiting.answers(ask, with: [1]).run()
        let failure = #expect(throws: ExplorationFailure.self) { try waiting.answers(ask, with: [1], never: true).run() }
        #expect(failure?.name == "e0")
    }

    @Test("a limit is part of the verdict")
    func bounded() throws {
        let counting = exploring(number { $0 += $1 }).events([1, 2])
        let deep = try counting.limited(depth: 3).run()
        #expect(deep.extent == .bounded(by: "a depth of 3", left: 2))
        #expect(deep.description.hasPrefix("bounded by a depth of 3: 7 states, 7 moments"))
        let large = try counting.limited(moments: 10).run()
        #expect(large.extent == .bounded(by: "10 moments", left: 2))
        #expect(large.moments == 10)
    }

    @Test("what was not tried is taken to be able to reach anything")
    func boundedCanAlways() throws {
        try exploring(number { $0 += $1 }).events([1]).canAlways("be a hundred") { $0 == 100 }.limited(moments: 10).run()
    }

    @Test("a program with a memory of its own is named as not deterministic")
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
        #expect(failure?.message.hasPrefix("the program is not deterministic: played twice, \"e0\" has led") == true)
    }

    @Test("a call without a rule is named")
    func noRule() {
        let failure = #expect(throws: ExplorationFailure.self) {
            try asking { event, calls in calls.ask(event) }.events([1]).run()
        }
        #expect(failure?.message.hasPrefix("ask(1) was called, but nothing says what can become of it") == true)
    }

    @Test("a story is played again by its name, and a wrong name says where it goes wrong")
    func replay() throws {
        let exploration = asking { event, calls in calls.ask(event) }.events([1, 2], atMost: 2).answers(ask, with: [7, 8])
        #expect(
            try exploration.replay("e1 a0.1") == """
                Given
                    []
                When 2
                    calls ask(2)
                ask(2) answers 8
                    [0]: nothing → 8
                """)
        #expect(throws: ExplorationFailure.self) { try exploration.replay("e1 b") }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.replay("e1 a1.0") }
        #expect(failure?.message == "the story has no choice a1.0 after \"e1\"")
    }

    @Test("time is a choice: what is due next, and not what is due later")
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
        // Only if time goes on before the shorter one begins.
        #expect(failure?.name == "e0 t e1 t")
    }
}

@Suite("Exploration: pictures and cancellations")
struct PictureTests {
    private let traffic = exploring(number { $0 = ($0 + $1) % 3 }).events([1])

    @Test("the graph is text, to be kept beside a test")
    func text() throws {
        let picture = try traffic.drawn { ["red", "green", "amber \"!\""][$0] }.run().picture
        #expect(
            picture?.text == """
                amber "!" --When 1--> red
                green --When 1--> amber "!"
                red --When 1--> green
                """)
        #expect(
            picture?.dot(marking: [.init(source: "red", choice: "When 1", target: "green")]) == """
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
        #expect(
            picture?.mermaid() == """
                flowchart TD
                    s0["red"]
                    s1["green"]
                    s2["amber #quot;!#quot;"]
                    s0 -->|"When 1"| s1
                    s1 -->|"When 1"| s2
                    s2 -->|"When 1"| s0
                """)
    }

    @Test("states with the same label are one, and an exploration that is not drawn has no picture")
    func folded() throws {
        #expect(
            try traffic.drawn { $0 == 0 ? "stop" : "go" }.run().picture?.text == """
                go --When 1--> go
                go --When 1--> stop
                stop --When 1--> go
                """)
        #expect(try traffic.run().picture == nil)
    }

    @Test("an effect may be cancelled from outside: a call that is, is answered by nobody")
    func cancelled() throws {
        let asking = asking { event, calls in calls.ask(event).prepend(0).eraseToAnyPublisher() }
            .events([1], atMost: 1).answers(ask, with: [1])
            .whenQuiet("it has ended well") { $0 != [0] }
        try asking.run()
        let failure = #expect(throws: ExplorationFailure.self) { try asking.cancelsAnywhere().run() }
        #expect(failure?.name == "e0 c0")
        #expect(failure?.story.hasSuffix("The effect of 1 is cancelled") == true)
    }

    @Test("after the loop is cancelled nothing happens any more")
    func ended() throws {
        let report = try asking { event, calls in calls.ask(event) }.events([1], atMost: 1).answers(ask, with: [1]).run()
        let ending = try asking { event, calls in calls.ask(event) }.events([1], atMost: 1).answers(ask, with: [1])
            .cancelsAnywhere().run()
        #expect(report.moments == 3)
        // Each of the three may end there; cancelled, the call is as if it had not been made.
        #expect(ending.moments == 7)
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightExploration
@testable import MoonlightTesting

private struct Guest: Hashable {
    var count = 0
}
private struct House: Hashable {
    var guest: Guest?
}
private enum Event: Hashable, Sendable {
    case guest(Int)
    case invite, leave
}

private let house = Reducer<House, Event, Event, Void>(
    transform: { _, event, _ in .just(event) },
    apply: { (state: inout House, event: Event) in
        switch event {
        case .guest(let step): state.guest = state.guest.map { Guest(count: min(1, $0.count + step)) }
        case .invite: state.guest = state.guest ?? Guest()
        case .leave: state.guest = nil
        }
    })

@Suite("Exploration: details")
struct SmallPartsTests {
    private struct Hostile: Error, CustomStringConvertible {
        var description: String { "a\u{1B}[2J\u{7}\u{9B}m\u{202E}\u{2028}b\r\n" }
    }

    @Test("Texts of errors and events do not steer the terminal in failures, traces and plans")
    func steering() {
        let reducer = Reducer<String, String, String, Void>(
            transform: { _, event, _ throws(any Error) in
                if event.isEmpty { throw Hostile() }
                return .just(event)
            },
            apply: { (state: inout String, effect: String) in state = effect })
        let text = Hostile().description
        let failing = Exploration(reducer, given: "") { _ in }.events([text])
        for exploration in [Exploration(reducer, given: "") { _ in }.events([""]), failing.always("\(text)") { $0.isEmpty }] {
            do {
                try exploration.run()
                expect(Bool(false), "it did not fail")
            } catch {
                let what = error.description + error.message + error.trace + error.plan
                expect(what.contains("a\\u{1B}[2J"))
                expect(!what.unicodeScalars.contains { $0.isSteering && $0 != "\n" && $0 != "\t" }, "\(what.debugDescription)")
            }
        }
    }

    @Test("Only the marked choices of a Mermaid picture are red")
    func mermaid() {
        var picture = ExplorationPicture()
        let edges = [("a", "x", "b"), ("b", "y#<1>\n\"z\"", "a")].map {
            ExplorationPicture.Edge(source: $0, choice: $1, target: $2)
        }
        for edge in edges { picture.add(edge) }
        picture.marked = [edges[1]]
        expectEqual(
            picture.mermaid(),
            """
            flowchart TD
                s0["a"]
                s1["b"]
                s0 -->|"x"| s1
                s1 -->|"y#35;#lt;1#gt;<br>#quot;z#quot;"| s0
                linkStyle 1 stroke:red,color:red
            """)
    }

    @Test("Pictures escape control characters, and quotes with combining marks, in labels")
    func hostileLabels() {
        var picture = ExplorationPicture()
        picture.add(.init(source: "a\u{1B}[2J\u{202E}", choice: "x\r\ny", target: "\"\u{301}<\u{301}\\"))
        expectEqual(picture.text, "a\\u{1B}[2J\\u{202E} --x\\r\\ny--> \"\u{301}<\u{301}\\")
        expectEqual(
            picture.dot(),
            """
            digraph {
                node [shape=box]
                0 [label="a\\\\u{1B}[2J\\\\u{202E}"]
                1 [label="\\"\u{301}<\u{301}\\\\"]
                0 -> 1 [label="x\\\\r\\ny"]
            }
            """)
        expectEqual(
            picture.mermaid(),
            """
            flowchart TD
                s0["a\\u{1B}[2J\\u{202E}"]
                s1["#quot;\u{301}#lt;\u{301}\\"]
                s0 -->|"x\\r<br>y"| s1
            """)
    }

    @Test("Five changed states are named, and six are counted")
    func fiveStates() {
        func picture(_ count: Int) -> ExplorationPicture {
            var picture = ExplorationPicture()
            for number in 0..<count { picture.add("s\(number)") }
            return picture
        }
        expectEqual(picture(5).changes(since: ""), ["+ 5 states: s0, s1, s2, s3, s4"])
        expectEqual(picture(6).changes(since: ""), ["+ 6 states"])
    }

    @Test("A goal of a child is reported as unreachable if the child was removed and cannot return")
    func absentChild() throws {
        let exploration = Exploration(house, given: House(guest: Guest())) { _ in }.events([.guest(1), .leave])
            .scoped(to: \.guest, event: Event.guest) { $0.canAlways("be there", to: { $0.count >= 0 }) }
        let failure = #expect(throws: ExplorationFailure.self) { try exploration.run() }
        expectEqual(failure?.name, "e1")
        try exploration.events([.invite]).run()
    }

    @Test("A play with too many steps after one choice counts as endless, and its loop is cancelled")
    func endlessPlay() {
        let notes = PlayNotes<Int, Int, Int>(
            0, key: { AnyHashable($0) }, eventKey: { AnyHashable($0) },
            EffectLife(isCancellable: false, marksReactions: false), most: 10, notesEffects: false)
        let reducer = Reducer<Int, Int, Int, Void>(
            transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, event: Int) in state += event })
        let store = Store(
            reducer: reducer, initialState: 0, environment: (), options: LoopOptions(journal: notes.journal),
            // It would end, but later.
            feedback: { states in [states.compactMap { (1..<1_000).contains($0) ? 1 : nil }.eraseToAnyPublisher()] })
        notes.stop = { store.cancel() }
        _ = store.send(1)
        expect(notes.isEndless)
        expect(store.state < 20)
        notes.stop = {}
    }

    @Test("A plan for a property of the kind `eventually` checks it in a quiet state")
    func ends() {
        let exploration = Exploration(house, given: House()) { _ in }.events([.invite])
            .eventually("it is empty", after: { $0.guest != nil }, until: { $0.guest == nil })
        let plan = exploration.planSource(of: [.event(0)], violating: exploration.properties[0])
        expectEqual(plan?.contains("\n    .holds(\"it is empty\", in: .quiet) { $0.guest == nil }\n"), true)
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Feedback of a child")
struct LocatedTests {
    private struct Pair: Equatable, Sendable {
        var left: String?
        var right: String?
    }
    private enum Event: Equatable, Sendable {
        case left(String)
        case right(String)
        case found(String)
    }

    private func makeStore(
        journal: Recorder<String> = Recorder(), feedback: (AnyPublisher<Pair, Never>) -> [AnyPublisher<Event, Never>]
    ) -> Store<Pair, Event> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                apply: { (pair: inout Pair, event: Event) in
                    switch event {
                    case .left(let query): pair.left = query
                    case .right(let query): pair.right = query
                    case .found: break
                    }
                }),
            initialState: Pair(), environment: (),
            options: LoopOptions(journal: { record in
                if case .rule = record.step { journal.append(record.description) }
            }), feedback: feedback)
    }

    @Test("Reactions of a child are listed with its path, which distinguishes equal queries of two children")
    func reactions() {
        let never = PassthroughSubject<Event, Never>()
        let store = makeStore { states in
            [
                states.react(to: \.left) { _ in never }.located(at: .root.child("left")),
                states.react(toEach: { $0.right.map { [$0] } ?? [] }) { _ in never }
                    .located(at: .root.child("rows", id: 7)).located(at: .root.child("right")),
                states.react(to: \.left) { _ in never },
            ]
        }
        store.send(.left("a"))
        store.send(.right("a"))
        expectEqual(store.reactions.map { "\($0.path): \($0.key)" }, ["left: a", ": a", "right.rows[7]: a"])
    }

    @Test("Rules of a child are recorded in the journal with its path")
    func rules() {
        let journal = Recorder<String>()
        let greet = Rule("greet").when(.appearing { (pair: Pair) in pair.left }).then { Event.right($0) }
        let store = makeStore(journal: journal) { states in
            [
                Rule.events(of: [greet], from: states).located(at: .root.child("left")),
                Rule.events(of: [greet], from: states),
            ]
        }
        store.send(.left("a"))
        expectEqual(
            journal.all.map { $0.split(separator: "  ").last ?? "" },
            [
                "rule left/greet fired: 1 event", "rule greet fired: 1 event",
            ])
        expectEqual(store.state, Pair(left: "a", right: "a"))
    }

    @Test("Located feedback outside a loop behaves as without a path")
    func outside() {
        let states = CurrentValueSubject<String?, Never>("x")
        let found = Recorder<String>()
        let watch = states.react(to: { $0 }) { Just($0) }.located(at: .root.child("left")).sink { found.append($0) }
        states.send("y")
        expectEqual(found.all, ["x", "y"])
        withExtendedLifetime(watch) {}
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// The store lists the reactions in flight.
@Suite("`Store.reactions`: the reactions in flight")
struct ReactionListTests {
    private struct Asked: Equatable, Sendable {
        var query: String?
        var keys: [Int] = []
    }

    @Test("A reaction is listed by its query or key from its start to its end")
    func listed() {
        let answers = PassthroughSubject<Asked, Never>()
        let store = Store<Asked, Asked>(
            reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: { $0 = $1 }),
            initialState: Asked(), environment: (),
            feedback: { states in
                [
                    states.react(to: { $0.query }) { _ in answers.prefix(1) },
                    states.react(toEach: { $0.keys }) { _ in answers.prefix(1) },
                ]
            })
        expect(store.reactions.isEmpty)
        store.send(Asked(query: "moon", keys: [1, 2]))
        expectEqual(store.reactions.map(\.key), ["moon", "1", "2"])
        store.send(Asked(query: "sun", keys: [2]))
        expectEqual(Set(store.reactions.map(\.key)), ["sun", "2"])
        answers.send(Asked(query: "sun", keys: [2]))
        expect(store.reactions.isEmpty)
        store.send(Asked(query: "star"))
        expectEqual(store.reactions.map(\.key), ["star"])
        store.cancel()
        expect(store.reactions.isEmpty)
    }
}

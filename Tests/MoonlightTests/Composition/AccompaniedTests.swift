import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Companions of streams of effects")
struct AccompaniedTests {
    private enum Errand { @TaskLocal static var number: Int? }

    private func store(
        _ notes: PassthroughSubject<String, Never>, seen: Recorder<String>
    ) -> Store<Lamp, Lamp.Event> {
        let reducer = Lamp.reducer.middleware { state, event, world, next in
            try next(state, event, world).accompanied {
                seen.append("begin \(event)")
                return StreamCompanion(
                    subscribing: { Errand.$number.withValue(7, operation: $0) },
                    ended: { seen.append("\(event) \($0 ? "cancelled" : "ended")") })
            }
        }
        let world = Lamp.World(notes: {
            Deferred {
                seen.append("subscribed with \(Errand.number ?? 0)")
                return notes
            }.eraseToAnyPublisher()
        })
        return Store(reducer: reducer, initialState: Lamp(), environment: world)
    }

    @Test("begin with the subscription, inside of what they bind, and end with the stream")
    func finished() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.load)
        notes.send("a")
        #expect(store.state.note == "a")
        #expect(!seen.all.contains("load ended"))
        notes.send(completion: .finished)
        #expect(seen.all == ["begin load", "subscribed with 7", "load ended"])
    }

    @Test("are told that the stream was cancelled")
    func cancelled() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.load)
        store.cancel()
        #expect(seen.all.last == "load cancelled")
        #expect(seen.all.count == 3)
    }

    @Test("do not accompany effects that lie ready")
    func ready() {
        let seen = Recorder<String>()
        let store = store(PassthroughSubject(), seen: seen)
        store.send(.up(3))
        #expect(store.state.level == 3)
        #expect(seen.all.isEmpty)
    }

    @Test("leave a job its name")
    func jobs() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.watch)
        #expect(store.jobs.map(\.id.description) == ["watch"])
        store.cancelJob("watch")
        #expect(seen.all.last == "watch ended")
    }
}

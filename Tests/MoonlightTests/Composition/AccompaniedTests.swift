import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Companions of streams of effects")
struct AccompaniedTests {
    private enum Request { @TaskLocal static var number: Int? }

    private func store(
        _ notes: PassthroughSubject<String, Never>, seen: Recorder<String>
    ) -> Store<Lamp, Lamp.Event> {
        let reducer = Lamp.reducer.middleware { state, event, world, next in
            try next(state, event, world).accompanied {
                seen.append("begin \(event)")
                return StreamCompanion(
                    subscribing: { Request.$number.withValue(7, operation: $0) },
                    ended: { seen.append("\(event) \($0 ? "cancelled" : "ended")") })
            }
        }
        let world = Lamp.World(notes: {
            Deferred {
                seen.append("subscribed with \(Request.number ?? 0)")
                return notes
            }.eraseToAnyPublisher()
        })
        return Store(reducer: reducer, initialState: Lamp(), environment: world)
    }

    @Test("A companion begins before the subscription, binds its task-local around it, and ends with the stream")
    func finished() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.load)
        notes.send("a")
        expectEqual(store.state.note, "a")
        expect(!seen.all.contains("load ended"))
        notes.send(completion: .finished)
        expectEqual(seen.all, ["begin load", "subscribed with 7", "load ended"])
    }

    @Test("A companion learns whether its stream was cancelled")
    func cancelled() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.load)
        store.cancel()
        expectEqual(seen.all.last, "load cancelled")
        expectEqual(seen.all.count, 3)
    }

    @Test("Synchronous effects have no companion")
    func ready() {
        let seen = Recorder<String>()
        let store = store(PassthroughSubject(), seen: seen)
        store.send(.up(3))
        expectEqual(store.state.level, 3)
        expect(seen.all.isEmpty)
    }

    @Test("A job with a companion keeps its name, and can be cancelled by it")
    func jobs() {
        let (notes, seen) = (PassthroughSubject<String, Never>(), Recorder<String>())
        let store = store(notes, seen: seen)
        store.send(.watch)
        expectEqual(store.jobs.map(\.id.description), ["watch"])
        store.cancelJob("watch")
        expectEqual(seen.all.last, "watch ended")
    }
}

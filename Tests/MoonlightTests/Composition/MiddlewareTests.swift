import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Middleware")
struct MiddlewareTests {
    private let lamp = Lamp.reducer

    @Test("Middleware can observe events, and the last one added receives an event first")
    func order() {
        let seen = Recorder<String>()
        let reducer = ["inner", "outer"].reduce(lamp) { reducer, name in
            reducer.middleware { state, event, world, next in
                seen.append("\(name) \(event) at \(state.level)")
                return try next(state, event, world)
            }
        }
        let store = Store(reducer: reducer, initialState: Lamp(level: 4), environment: Lamp.World())
        store.send(.up(1))
        expectEqual(seen.all, ["outer up(1) at 4", "inner up(1) at 4"])
        expectEqual(store.state.level, 5)
    }

    @Test("Middleware can change, drop or reject an event, and add effects")
    func all() async {
        let reducer = lamp.middleware { state, event, world, next in
            switch event {
            case .up(1): return try next(state, .up(10), world)
            case .up(2): return .none
            case .up(3): throw Rejection("three is too much")
            case .up(let amount):
                return try next(state, event, world).combined(with: .just(.noted("up by \(amount)")))
            default: return try next(state, event, world)
            }
        }
        let store = Store(reducer: reducer, initialState: Lamp(), environment: Lamp.World())
        let send = { (event: Lamp.Event) in _ = store.send(event) }
        send(.up(1))
        send(.up(2))
        expectEqual(store.state, Lamp(level: 10))
        guard case .failure(.rejected) = await store.send(.up(3)) else {
            Issue.record("not refused")
            return
        }
        send(.up(4))
        expectEqual(store.state, Lamp(level: 14, note: "up by 4"))
    }

    @Test("Children inside middleware keep their jobs, and lose their effects when they are removed")
    func children() {
        let reducer = parlour.middleware { state, event, world, next in
            try next(state, event, world).mapStreams { $0.handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() }
        }
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: reducer, initialState: Parlour(guest: Lamp()),
            environment: ParlourWorld(
                lamp: Lamp.World(notes: { notes.eraseToAnyPublisher() }),
                guest: Lamp.World(notes: { notes.eraseToAnyPublisher() })))
        for event in [Lamp.Event.load, .watch] {
            store.send(.guest(event))
            store.send(.lamp(event))
        }
        expectEqual(Set(store.jobs.map(\.id.description)), ["guest/watch", "lamp/watch"])
        notes.send("a")
        store.send(.dismiss)
        expectEqual(store.jobs.map(\.id.description), ["lamp/watch"])
        store.send(.invite)
        notes.send("b")
        expectEqual(store.state.guest, Lamp())
        expectEqual(store.state.lamp, Lamp(note: "b"))
    }
}

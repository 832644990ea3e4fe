import Moonlight
import MoonlightTestSupport
import Streams
import Testing

// Children, whose effects belong to them.
extension DevelopmentTests {
    @Test("a child that is gone because its step is skipped loses its effects in flight, and none is started when it is restored")
    func childLeaves() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        world.send("2")
        #expect(store.state.latest.child?.sum == 2)
        #expect(store.liveEffectsOfTest == 1)
        store.skip(1)
        #expect(store.state.latest.child == nil)
        #expect(store.liveEffectsOfTest == 0)
        store.restore(1)
        #expect(store.state.latest.child?.sum == 2)
        world.send("3")
        #expect(store.state.latest.child?.sum == 2)
    }

    @Test("a child that is done loses its effects in flight, as without the history")
    func childIsDone() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.send(.event(.child(9)))
        #expect(store.state.latest.child == nil)
        #expect(store.liveEffectsOfTest == 0)
    }

    @Test("a child keeps its effects in flight while steps are folded again, though one like it left among them")
    func secondChild() {
        let store = open()
        store.send(.event(.say("a")))
        store.send(.event(.open))
        store.send(.event(.child(9)))
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.skip(1)
        #expect(store.liveEffectsOfTest == 1)
        world.send("2")
        #expect(store.state.latest.child?.sum == 2)
    }

    @Test("a child's result reaches its parent once: not again when its steps are folded again")
    func results() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.say("a")))
        store.send(.event(.child(9)))
        #expect(words(store) == "a nine")
        #expect(store.state.latest.child == nil)
        store.skip(4)
        #expect(words(store) == "nine")
        store.restore(4)
        #expect(words(store) == "a nine")
    }

    @Test("the result of a child whose effect was held reaches its parent when it is unlocked")
    func heldResult() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.lock()
        world.send("9")
        store.unlock()
        #expect(words(store) == "nine")
    }

    @Test("as one part of a reducer, it takes back what the others have done by an effect that apply rejects")
    func rejectedInPart() {
        struct App: Equatable, Sendable {
            var effects = 0
            var program = Lifted(State())
        }
        typealias Part = Reducer<App, DevelopmentEvent<Event>, DevelopmentEffect<Event, Effect>, World>
        let (event, effect) = (
            CasePath<DevelopmentEvent<Event>, DevelopmentEvent<Event>>({ $0 }, extract: { $0 }),
            CasePath<DevelopmentEffect<Event, Effect>, DevelopmentEffect<Event, Effect>>({ $0 }, extract: { $0 })
        )
        let counting = Part(transform: { _, _, _ in .none }, apply: { (app: inout App, _) in app.effects += 1 })
        let program = Self.reducer.inDevelopment(keeping: 9).scoped(
            to: \App.program, event: event, effect: effect, environment: { (world: World) in world })
        let store = Store(reducer: counting.combined(with: program), initialState: App(), environment: world)
        store.send(.event(.say("after x")))
        #expect(store.state.effects == 1)
        store.send(.event(.say("x")))
        #expect(store.state.effects == 3)
        #expect(store.state.program.latest.words == ["x"])
    }

    /// Two stores after the same number of commands.
    func pair(
        _ one: [DevelopmentEvent<Event>], _ other: [DevelopmentEvent<Event>]
    ) -> (one: Lifted, other: Lifted) {
        let stores = (open(), open())
        for event in one { stores.0.send(event) }
        for event in other { stores.1.send(event) }
        return (stores.0.state, stores.1.state)
    }
}

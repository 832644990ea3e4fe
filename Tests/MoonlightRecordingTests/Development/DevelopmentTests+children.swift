import Moonlight
import MoonlightRecording
import MoonlightTestSupport
import Streams
import Testing

// Children, whose effects belong to them.
extension DevelopmentTests {
    @Test("A child whose step is skipped loses its effects in flight, and none is started when the step is restored")
    func childLeaves() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        world.send("2")
        expectEqual(store.state.latest.child?.sum, 2)
        expectEqual(store.liveEffectsOfTest, 1)
        store.send(.command(.skip(1)))
        expect(store.state.latest.child == nil)
        expectEqual(store.liveEffectsOfTest, 0)
        store.send(.command(.restore(1)))
        expectEqual(store.state.latest.child?.sum, 2)
        world.send("3")
        expectEqual(store.state.latest.child?.sum, 2)
    }

    @Test("A child that has completed loses its effects in flight, as without the history")
    func childIsDone() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.send(.event(.child(9)))
        expect(store.state.latest.child == nil)
        expectEqual(store.liveEffectsOfTest, 0)
    }

    @Test("A child keeps its effects in flight while steps are folded again in which an earlier child was removed")
    func secondChild() {
        let store = open()
        store.send(.event(.say("a")))
        store.send(.event(.open))
        store.send(.event(.child(9)))
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.send(.command(.skip(1)))
        expectEqual(store.liveEffectsOfTest, 1)
        world.send("2")
        expectEqual(store.state.latest.child?.sum, 2)
    }

    @Test("The result of a child reaches its parent once, and not again when its steps are folded again")
    func results() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.say("a")))
        store.send(.event(.child(9)))
        expectEqual(words(store), "a nine")
        expect(store.state.latest.child == nil)
        store.send(.command(.skip(4)))
        expectEqual(words(store), "nine")
        store.send(.command(.restore(4)))
        expectEqual(words(store), "a nine")
    }

    @Test("The result of a child's held effect reaches its parent when the store is unlocked")
    func heldResult() {
        let store = open()
        store.send(.event(.open))
        store.send(.event(.child(1)))
        store.send(.command(.lock))
        world.send("9")
        store.send(.command(.unlock))
        expectEqual(words(store), "nine")
    }

    @Test("If `apply` rejects an effect, the other parts of a combined reducer are undone, too")
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
        expectEqual(store.state.effects, 1)
        store.send(.event(.say("x")))
        expectEqual(store.state.effects, 3)
        expectEqual(store.state.program.latest.words, ["x"])
    }

    /// Returns two stores after the same number of commands.
    func pair(
        _ one: [DevelopmentEvent<Event>], _ other: [DevelopmentEvent<Event>]
    ) -> (one: Lifted, other: Lifted) {
        let stores = (open(), open())
        for event in one { stores.0.send(event) }
        for event in other { stores.1.send(event) }
        return (stores.0.state, stores.1.state)
    }
}

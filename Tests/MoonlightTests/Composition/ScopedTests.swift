import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Scoped children")
struct ScopedTests {
    @Test("A child receives its events, and its effects change its part of the state")
    func child() {
        let store = Store(reducer: parlour, initialState: Parlour(), environment: ParlourWorld())
        store.send(.lamp(.up(3)))
        store.send(.rename("blue"))
        store.send(.lamp(.twice))
        expectEqual(store.state, Parlour(title: "blue", lamp: Lamp(level: 5)))
    }

    @Test("An event for an absent optional child is refused, and the refusal names the child and the line of its scope")
    func absent() async throws {
        let store = Store(reducer: parlour, initialState: Parlour(), environment: ParlourWorld())
        guard case .failure(.rejected(let error)) = await store.send(.guest(.up(1))) else {
            Issue.record("not refused")
            return
        }
        let rejection = try #require(error as? Rejection)
        expect(rejection.isForAbsentChild)
        expectEqual(rejection.path.description, "guest")
        expect(rejection.file.hasSuffix("Parlour.swift"))
        expectEqual(store.state, Parlour())
    }

    @Test("A removed child loses its effects, which do not reach another child in its place")
    func leaving() {
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: parlour, initialState: Parlour(),
            environment: ParlourWorld(guest: Lamp.World(notes: { notes.eraseToAnyPublisher() })))
        store.send(.invite)
        store.send(.guest(.load))
        store.send(.guest(.watch))
        notes.send("one")
        expectEqual(store.state.guest?.note, "one")
        expectEqual(store.jobs.map(\.id.description), ["guest/watch"])
        store.send(.dismiss)
        expect(store.jobs.isEmpty)
        store.send(.invite)
        notes.send("two")
        expectEqual(store.state.guest?.note, "")
    }
}

import Moonlight
import Streams
import Testing

@Suite("A child in its scope")
struct ScopedTests {
    @Test("gets its events, and its effects change its part of the state")
    func child() {
        let store = Store(reducer: parlour, initialState: Parlour(), environment: ParlourWorld())
        store.send(.lamp(.up(3)))
        store.send(.rename("blue"))
        store.send(.lamp(.twice))
        #expect(store.state == Parlour(title: "blue", lamp: Lamp(level: 5)))
    }

    @Test("is refused an event while it is not there, and says which child that is")
    func absent() async throws {
        let store = Store(reducer: parlour, initialState: Parlour(), environment: ParlourWorld())
        guard case .failure(.rejected(let error)) = await store.send(.guest(.up(1))) else {
            Issue.record("not refused")
            return
        }
        let rejection = try #require(error as? Rejection)
        #expect(rejection.kind == .absentChild)
        #expect(rejection.path.description == "guest")
        #expect(rejection.file.hasSuffix("Parlour.swift"))
        #expect(store.state == Parlour())
    }

    @Test("that leaves takes its effects along, also when another comes at once")
    func leaving() {
        let notes = PassthroughSubject<String, Never>()
        let store = Store(
            reducer: parlour, initialState: Parlour(),
            environment: ParlourWorld(guest: Lamp.World(notes: { notes.eraseToAnyPublisher() })))
        store.send(.invite)
        store.send(.guest(.load))
        store.send(.guest(.watch))
        notes.send("one")
        #expect(store.state.guest?.note == "one")
        #expect(store.jobs.map(\.id.description) == ["guest/watch"])
        store.send(.dismiss)
        #expect(store.jobs.isEmpty)
        store.send(.invite)
        notes.send("two")
        #expect(store.state.guest?.note == "")
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Search: Equatable, Sendable {
    var query: String?
    var results: [String] = []
    var openFiles: Set<String> = []
    var isVisible = false
}

private enum Event: Sendable {
    case typed(String)
    case found([String])
    case opened(String)
    case closed(String)
    case changed(String)
    case tick
    case show(Bool)
}

private struct World: Sendable {
    let search: @Sendable (String) -> AnyPublisher<[String], Never>
    let changes: @Sendable (String) -> AnyPublisher<Void, Never>
    let ticks: @Sendable () -> AnyPublisher<Void, Never>
}

@Suite("Page: Reactions")
struct ReactionsPage {
    private static func makeStore(_ world: World) -> Store<Search, Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) in Just(event).eraseToAnyPublisher() },
                apply: { (search: inout Search, event: Event) in
                    switch event {
                    case .typed(let text): search.query = text.isEmpty ? nil : text
                    case .found(let results): (search.results, search.query) = (results, nil)
                    case .opened(let file): search.openFiles.insert(file)
                    case .closed(let file): search.openFiles.remove(file)
                    case .changed(let file): search.results.append("\(file) changed")
                    case .tick: search.results.append("tick")
                    case .show(let isVisible): search.isVisible = isVisible
                    }
                }),
            initialState: Search(),
            environment: (),
            feedback: { states in
                [
                    states.react(to: \.query) { query in world.search(query).map { .found($0) } },
                    states.react(toEach: \.openFiles) { file in world.changes(file).map { .changed(file) } },
                    states.react(when: \.isVisible) { world.ticks().map { .tick } },
                ]
            })
    }

    @Test("The state determines which reactions are in flight")
    func inFlight() {
        let started = Recorder<String>()
        let answer = PassthroughSubject<[String], Never>()
        let change = PassthroughSubject<Void, Never>()
        let tick = PassthroughSubject<Void, Never>()
        let store = Self.makeStore(
            World(
                search: { query in
                    started.append(query)
                    return answer.eraseToAnyPublisher()
                },
                changes: { _ in change.eraseToAnyPublisher() }, ticks: { tick.eraseToAnyPublisher() }))
        store.send(.typed("mo"))
        store.send(.typed("moon"))
        #expect(started.all == ["mo", "moon"])
        answer.send(["moonlight"])
        #expect(store.state.results == ["moonlight"])
        #expect(store.state.query == nil)
        store.send(.opened("a.txt"))
        store.send(.show(true))
        change.send()
        tick.send()
        store.send(.closed("a.txt"))
        store.send(.show(false))
        change.send()
        tick.send()
        #expect(store.state.results == ["moonlight", "a.txt changed", "tick"])
    }

    @Test("A reaction can be tested without a loop")
    func alone() {
        let states = PassthroughSubject<Search, Never>()
        let events = Recorder<String>()
        let reaction = states.react(to: \.query) { Just("search for \($0)") }.sink { events.append($0) }
        states.send(Search(query: "moon"))
        states.send(Search(query: "moon", isVisible: true))
        #expect(events.all == ["search for moon"])
        reaction.cancel()
    }
}

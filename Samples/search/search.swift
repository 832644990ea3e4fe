// A search while the user types: it starts after a pause, and the latest query wins.
//
//     swift run search
import MoonPresentation
import Moonlight
import Streams

struct Search: Equatable {
    var query = TextInput()
    var found: [String] = []
    var problem: String?
}

enum Event {
    case edit(TextEdit)
}

enum Effect {
    case typed(TextInput)
    case found([String])
    case failed(String)
}

struct World: Sendable {
    var clock: any Clock<Duration>
    var find: @Sendable (String) async throws -> [String]
}

let search = Reducer<Search, Event, Effect, World> { state, event, world in
    switch event {
    case .edit(let edit):
        var query = state.query
        query.apply(edit)
        return find(query, world)
    }
} apply: { state, effect in
    switch effect {
    case .typed(let query): state.query = query
    case .found(let lines): state = Search(query: state.query, found: lines)
    case .failed(let problem): state = Search(query: state.query, problem: problem)
    }
}

func find(_ query: TextInput, _ world: World) -> AnyPublisher<Effect, Never> {
    .run {
        // The pause; the next key replaces the job, which cancels it.
        try await world.clock.sleep(for: .milliseconds(300))
        return .found(query.isEmpty ? [] : try await world.find(query.text))
    } catch: {
        .failed("\($0)")
    }
    .job("search", .latest)
    .prepend(.typed(query))
}

func program(_ world: World) -> Program<Search, Event, Effect, World> {
    Program(search, initialState: Search(), environment: world) { state, screen in
        screen.add(
            Rows {
                Field(state.query, prompt: "find", edit: Event.edit)
                List(state.found).length(.share())
                Text(state.problem ?? "\(state.found.count) found", style: .dim)
            })
    }
    .keys([], quit: [.escape])
}

extension World {
    static let words = "beach bay bright cliff coast crescent dusk ebb eclipse flood foam full half moon moonlight new night"
        .split(separator: " ").map(String.init)

    static let live = World(clock: ContinuousClock()) { text in
        try await Task.sleep(for: .milliseconds(200))
        return words.filter { $0.contains(text.lowercased()) }
    }
}

@main struct Main {
    static func main() throws { try program(.live).run() }
}

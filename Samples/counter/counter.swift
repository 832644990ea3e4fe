// An optimistic update: a change is shown before a service has confirmed it, and reverted if the service fails.
//
//     swift run counter              + and - change the count; the service refuses multiples of five
//     printf '+++-' | swift run counter
import MoonPresentation
import Moonlight
import Streams

struct Counter: Equatable {
    /// The displayed count, including unconfirmed changes.
    var count = 0
    /// The last count that the service has confirmed.
    var confirmed = 0
    var problem: String?
}

enum Event {
    case plus
    case minus
}

enum Effect {
    case pressed(Int)
    case saved(Int)
    case failed(String)
}

struct World: Sendable {
    /// Saves a count, and returns the confirmed one.
    var save: @Sendable (Int) async throws -> Int
}

let counter = Reducer<Counter, Event, Effect, World> { state, event, world in
    switch event {
    case .plus: save(state.count + 1, world)
    case .minus: save(state.count - 1, world)
    }
} apply: { state, effect in
    switch effect {
    case .pressed(let count): state = Counter(count: count, confirmed: state.confirmed)
    case .saved(let count): state = Counter(count: count, confirmed: count)
    case .failed(let problem): state = Counter(count: state.confirmed, confirmed: state.confirmed, problem: problem)
    }
}

/// Shows the count at once and saves it. The next request replaces this one.
func save(_ count: Int, _ world: World) -> AnyPublisher<Effect, Never> {
    .run {
        .saved(try await world.save(count))
    } catch: {
        .failed("\($0)")
    }.job("save", .latest).prepend(.pressed(count))
}

func program(_ world: World) -> Program<Counter, Event, Effect, World> {
    let keys: KeyTable<Event> = [
        .key("+", .up, sends: .plus, help: "plus"), .key("-", .down, sends: .minus, help: "minus"), .quit("q", help: "quit"),
    ]
    return Program(counter, initialState: Counter(), environment: world) { state, screen in
        screen.add(
            Rows {
                Text("\(state.count)\(state.count == state.confirmed ? "" : "  saving…")", style: .bold)
                Text(state.problem ?? "", style: Style(foreground: .red))
                HelpView(keys)
            })
    }
    .keys(keys)
}

extension World {
    struct Refusal: Error, CustomStringConvertible {
        let count: Int
        var description: String { "the service refuses \(count)" }
    }

    static let live = World { count in
        try await Task.sleep(for: .milliseconds(300))
        if count != 0, count.isMultiple(of: 5) { throw Refusal(count: count) }
        return count
    }
}

@main struct Main {
    static func main() throws { try program(.live).run() }
}

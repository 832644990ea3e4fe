// A store without a terminal, behind a line protocol.
//
//     printf 'put moon 384400\nget moon\nput sun\n' | swift run server
//
// A server calls `answer(_:_:)` for each line of each of its connections: a store takes events from any thread.
import MoonPresentation
import Moonlight
import Streams

struct Words: Equatable {
    var values: [String: String] = [:]
}

enum Event: Sendable {
    case put(String, String)
    case remove(String)
}

let words = Reducer<Words, Event, Event, Void> { state, event, _ in
    if case .remove(let key) = event, state.values[key] == nil { throw Rejection("there is no \(key)") }
    return .just(event)
} apply: { state, effect in
    switch effect {
    case .put(let key, let value): state.values[key] = value
    case .remove(let key): state.values[key] = nil
    }
}

/// Returns the answer to a line.
func answer(_ line: String, _ store: Store<Words, Event>) async -> String {
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (parts.first, parts.count) {
    case ("get", 2): return store.state.values[parts[1]] ?? "error: there is no \(parts[1])"
    case ("put", 3): return await carryOut(.put(parts[1], parts[2]), store)
    case ("remove", 2): return await carryOut(.remove(parts[1]), store)
    default: return "error: put KEY VALUE, get KEY, or remove KEY"
    }
}

func carryOut(_ event: Event, _ store: Store<Words, Event>) async -> String {
    switch await store.send(event) {
    case .success: "ok"
    case .failure(.rejected(let error)): "error: \(error)"
    case .failure(let error): "error: \(error)"
    }
}

@main struct Main {
    static func main() async {
        StandardStreams.prepare()
        let store = Store(reducer: words, initialState: Words(), environment: ())
        let output = OutputLines()
        for await line in StandardStreams.lines() {
            output.write([await answer(line.text, store)])
            if output.failure != nil { break }
        }
        StandardStreams.exit(output.finish(of: "server"))
    }
}

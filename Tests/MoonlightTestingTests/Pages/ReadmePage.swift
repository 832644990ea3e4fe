import Moonlight
import MoonlightTesting
import Streams
import Testing

@Suite("Page: README")
struct ReadmePage {
    struct Search: Equatable, Sendable {
        var query = ""
        var found: [String] = []
        var problem: String?
    }

    enum Event: Sendable { case typed(String) }

    enum Effect: Sendable {
        case query(String)
        case found([String])
        case failed(String)
    }

    typealias Find = @Sendable (String) async throws -> [String]

    static let search = Reducer<Search, Event, Effect, Find> { state, event, find in
        switch event {
        case .typed(state.query): throw Rejection("the query has not changed")
        case .typed(let text):
            return .run {
                .found(try await find(text))
            } catch: {
                .failed("\($0)")
            }.job("search", .latest).prepend(.query(text))
        }
    } apply: { state, effect in
        switch effect {
        case .query(let text): state = Search(query: text)
        case .found(let lines): state.found = lines
        case .failed(let problem): state.problem = problem
        }
    }

    @Test("A store runs the reducer of the README")
    func running() async {
        let (search, printed) = (Self.search, Lines())
        @Sendable func print(_ lines: [String]) { printed.append("\(lines)") }

        let find: Find = { text in [text + "light", text + "stone"] }
        let store = Store(reducer: search, initialState: Search(), environment: find)
        let screen = store.values(of: \.found).sink { print($0) }
        await store.send(.typed("moon"), until: .settled)
        screen.cancel()
        #expect(printed.all == ["[]", "[\"moonlight\", \"moonstone\"]"])
        #expect(store.state == Search(query: "moon", found: ["moonlight", "moonstone"]))
    }
}

@Suite("Page: README, its plan")
enum ReadmePlan {
    typealias Search = ReadmePage.Search
    static let search = ReadmePage.search

    struct Offline: Error {}
    static let find = Stub<String, [String], any Error>("find")

    @Test static func searching() throws {
        try Plan(search, given: Search()) { $0.async(find) }
            .rejects(.typed(""))
            .when(.typed("mo"))
            .when(.typed("moon"))
            .cancelled(find("mo"))
            .fork("the network is down") {
                $0.fail(find("moon"), with: Offline()).then(\.problem, equals: "Offline()")
            }
            .resolve(find("moon"), with: ["moonlight"])
            .then(\.found, equals: ["moonlight"])
            .run()
    }
}

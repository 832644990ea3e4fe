import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private struct Todos: Equatable, Sendable {
    var items: [String] = []
    var isLoading = false
}

private enum Action: Sendable {
    case add(String)
    case fetch
}

private enum Update: Sendable {
    case added(String)
    case fetching
    case fetched([String])
}

private struct TodosEnvironment: Sendable {
    var fetch: @Sendable () async -> [String]
    var log: @Sendable (String) -> Void
}

private let todos = Reducer<Todos, Action, Update, TodosEnvironment>(
    transform: { state, action, environment in
        switch action {
        case .add(let title):
            if title.isEmpty { throw Rejection("a todo needs a title") }
            return Just(.added(title)).eraseToAnyPublisher()
        case .fetch:
            return .run { send in
                send(.fetching)
                send(.fetched(await environment.fetch()))
            }.job("fetch", .ignoreNew).eraseToAnyPublisher()
        }
    },
    apply: { state, update in
        switch update {
        case .added(let title): state.items.append(title)
        case .fetching: state.isLoading = true
        case .fetched(let titles): (state.items, state.isLoading) = (state.items + titles, false)
        }
    })

@Suite("Page: ComingFromRedux")
struct ComingFromReduxPage {
    @Test("Todos that are fetched and added are shown")
    func request() async {
        let (shown, logged) = (Recorder<String>(), Recorder<String>())
        let environment = TodosEnvironment(fetch: { ["rise", "shine"] }, log: { logged.append($0) })
        let store = Store(reducer: todos, initialState: Todos(), environment: environment)
        let view = store.values(of: \.items).sink { shown.append($0.joined(separator: ", ")) }
        await store.send(.fetch)
        await store.send(.add("sleep"))
        #expect(shown.all == ["", "rise, shine", "rise, shine, sleep"])
        #expect(logged.all == [])
        view.cancel()
    }

    @Test("A middleware logs actions, also those that are refused")
    func logger() async {
        let lines = Recorder<String>()
        let environment = TodosEnvironment(fetch: { [] }, log: { lines.append($0) })
        let logged = todos.middleware { state, action, environment, next in
            environment.log("\(action)")
            return try next(state, action, environment)
        }
        let store = Store(reducer: logged, initialState: Todos(), environment: environment)
        await store.send(.add(""))
        await store.send(.fetch)
        #expect(lines.all == ["add(\"\")", "fetch"])
        #expect(store.state == Todos())
    }
}

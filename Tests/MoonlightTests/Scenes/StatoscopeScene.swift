import Moonlight
import MoonlightTestSupport
import Streams
import Testing

/// Statoscope's README: a counter that posts its count, first without effects, then with.
private struct TotalCounter: Equatable, Sendable {
    var viewDisplaysTotalCount = 0
    var viewShowsLoadingAndDisablesButtons = false

    enum When: Sendable {
        case userTappedIncrementButton
        case userTappedDecrementButton
    }

    enum Effect: Sendable {
        case counted(Int)
        case networkPostCompleted(DTO)
    }

    struct DTO: Equatable, Sendable { let count: Int }

    struct Network: Sendable { var post: @Sendable (DTO) -> AnyPublisher<DTO, Never> }

    static let reducer = Reducer<TotalCounter, When, Effect, Network>(
        transform: { state, when, network in
            let count: Int
            switch when {
            case .userTappedIncrementButton: count = state.viewDisplaysTotalCount + 1
            case .userTappedDecrementButton:
                guard state.viewDisplaysTotalCount > 0 else { return Empty().eraseToAnyPublisher() }
                count = state.viewDisplaysTotalCount - 1
            }
            // A newer request replaces and cancels the one in flight.
            return network.post(DTO(count: count)).map(Effect.networkPostCompleted).job("post", .latest)
                .prepend(.counted(count)).eraseToAnyPublisher()
        },
        apply: { state, effect in
            switch effect {
            case .counted(let count):
                state.viewDisplaysTotalCount = count
                state.viewShowsLoadingAndDisablesButtons = true
            case .networkPostCompleted(let remote):
                state.viewShowsLoadingAndDisablesButtons = false
                state.viewDisplaysTotalCount = remote.count
            }
        })
}

/// An addition to the article: nested scopes. A screen of counters by name, of which one may be shown large.
private struct Screen: Equatable, Sendable {
    var counters: [String: TotalCounter] = [:]
    var large: TotalCounter?

    enum When: Sendable {
        case counter(String, TotalCounter.When)
        case large(TotalCounter.When)
        case userOpenedLarge, userClosedLarge
        case userRemovedCounter(String)
    }

    enum Effect: Sendable {
        case counter(String, TotalCounter.Effect)
        case large(TotalCounter.Effect)
        case opened, closed
        case removed(String)
    }

    static let reducer = Reducer<Screen, When, Effect, TotalCounter.Network>(
        transform: { _, when, _ in
            switch when {
            case .userOpenedLarge: Just(.opened).eraseToAnyPublisher()
            case .userClosedLarge: Just(.closed).eraseToAnyPublisher()
            case .userRemovedCounter(let name): Just(.removed(name)).eraseToAnyPublisher()
            case .counter, .large: Empty().eraseToAnyPublisher()
            }
        },
        apply: { state, effect in
            switch effect {
            case .opened: state.large = TotalCounter()
            case .closed: state.large = nil
            case .removed(let name): state.counters[name] = nil
            case .counter, .large: break
            }
        }
    )
    .combined(
        with: TotalCounter.reducer.scoped(
            toEach: \.counters,
            event: CasePath(When.counter) { if case .counter(let name, let when) = $0 { (name, when) } else { nil } },
            effect: CasePath(Effect.counter) {
                if case .counter(let name, let effect) = $0 { (name, effect) } else { nil }
            },
            environment: { $0 })
    )
    .combined(
        with: TotalCounter.reducer.scoped(
            toOptional: \.large,
            event: CasePath(When.large) { if case .large(let when) = $0 { when } else { nil } },
            effect: CasePath(Effect.large) { if case .large(let effect) = $0 { effect } else { nil } },
            environment: { $0 }))
}

/// A network that the test answers.
private final class Server: Sendable {
    private let requests = Lock<[(TotalCounter.DTO, PassthroughSubject<TotalCounter.DTO, Never>)]>([])

    var network: TotalCounter.Network {
        TotalCounter.Network(post: { dto in
            let answer = PassthroughSubject<TotalCounter.DTO, Never>()
            self.requests.withLock { $0.append((dto, answer)) }
            return answer.first().eraseToAnyPublisher()
        })
    }

    var posted: [Int] { requests.withLock { $0.map(\.0.count) } }

    func answer(_ number: Int, with count: Int) {
        requests.withLock { UncheckedTransfer($0[number].1) }.value.send(TotalCounter.DTO(count: count))
    }
}

@Suite("Statoscope's README")
struct StatoscopeScene {
    @Test("A tap changes the count, which is shown as pending until the response arrives")
    func userFlow() {
        let server = Server()
        let store = Store(reducer: TotalCounter.reducer, initialState: TotalCounter(), environment: server.network)
        store.send(.userTappedDecrementButton)
        expectEqual(store.state, TotalCounter())
        store.send(.userTappedIncrementButton)
        expectEqual(store.state, TotalCounter(viewDisplaysTotalCount: 1, viewShowsLoadingAndDisablesButtons: true))
        server.answer(0, with: 1)
        expectEqual(store.state, TotalCounter(viewDisplaysTotalCount: 1))
    }

    @Test("A second tap cancels the first request, whose response is ignored")
    func cancelling() {
        let server = Server()
        let store = Store(reducer: TotalCounter.reducer, initialState: TotalCounter(), environment: server.network)
        store.send(.userTappedIncrementButton)
        store.send(.userTappedIncrementButton)
        expectEqual(server.posted, [1, 2])
        expectEqual(store.jobs.count, 1)
        server.answer(0, with: 100)
        expect(store.state.viewShowsLoadingAndDisablesButtons)
        server.answer(1, with: 2)
        expectEqual(store.state, TotalCounter(viewDisplaysTotalCount: 2))
    }

    @Test("Each nested scope has its own requests, which end with it")
    func scopes() {
        let server = Server()
        let store = Store(
            reducer: Screen.reducer, initialState: Screen(counters: ["a": TotalCounter(), "b": TotalCounter()]),
            environment: server.network)
        store.send(.counter("a", .userTappedIncrementButton))
        store.send(.counter("b", .userTappedIncrementButton))
        store.send(.userOpenedLarge)
        store.send(.large(.userTappedIncrementButton))
        expectEqual(Set(store.jobs.map(\.id.description)), ["counters[a]/post", "counters[b]/post", "large/post"])
        store.send(.userClosedLarge)
        store.send(.userRemovedCounter("a"))
        expectEqual(store.jobs.map(\.id.description), ["counters[b]/post"])
        for number in 0..<3 { server.answer(number, with: 7) }
        expectEqual(store.state, Screen(counters: ["b": TotalCounter(viewDisplaysTotalCount: 7)]))
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Stores")
struct StoreTests {
    enum Event: Sendable, Equatable {
        case add(Int)
        case fail
        case load(Int)
        case later(Int)
    }
    struct State: Sendable, Equatable {
        var sum = 0
        var log: [String] = []
    }

    static func makeStore(
        options: LoopOptions<State, Event, Int> = .init(),
        later: PassthroughSubject<Int, Never> = .init()
    ) -> Store<State, Event> {
        Store(
            reducer: Reducer(
                transform: { _, event, _ in
                    switch event {
                    case .add(let n): return Just(n).eraseToAnyPublisher()
                    case .fail: throw Rejection("no")
                    case .load(let n): return .run { send in send(n) }
                    case .later(let n): return later.map { $0 + n }.first().eraseToAnyPublisher()
                    }
                },
                apply: { (state: inout State, effect: Int) in
                    state.sum += effect
                    state.log.append("+\(effect)")
                }),
            initialState: State(), environment: (), options: options)
    }

    @Test("`send` returns after synchronous effects have changed the state")
    func sendsAtOnce() {
        let store = Self.makeStore()
        store.send(.add(2))
        store.send(.add(3))
        expectEqual(store.state, State(sum: 5, log: ["+2", "+3"]))
    }

    @Test("`send` to a store without options returns that the event was taken")
    func taken() {
        let store = Self.makeStore()
        expectEqual(store.send(.add(2)).word, "settled")
        expectEqual(store.post(.add(3)).word, "settled")
    }

    @Test("`await send` returns when asynchronous effects have been applied")
    func awaitsEffects() async {
        let store = Self.makeStore()
        await store.send(.load(7))
        expectEqual(store.state.sum, 7)
    }

    @Test("`await send` returns the error that `transform` has thrown")
    func awaitsRejection() async {
        let store = Self.makeStore()
        guard case .failure(.rejected(let error)) = await store.send(.fail) else {
            Issue.record("the event was taken")
            return
        }
        expectEqual((error as? Rejection)?.reason, "no")
        expectEqual(store.state.sum, 0)
    }

    @Test("A store that has ended refuses events, and keeps its last state")
    func endedStore() async {
        let store = Self.makeStore()
        await store.send(.add(1))
        store.cancel()
        await store.finished()
        guard case .failure(.ended) = await store.send(.add(1)) else {
            Issue.record("the event was taken")
            return
        }
        expectEqual(store.state.sum, 1)
    }

    @Test("The journal has events, effects with their changes, and refusals, each with its cause")
    func journal() {
        let lines = Mutex<[String]>([])
        let store = Self.makeStore(options: .init(journal: { record in lines.withLock { $0.append("\(record)") } }))
        store.send(.add(1))
        store.send(.fail)
        store.cancel()
        expectEqual(
            lines.withLock { $0 },
            [
                "1  event add(1)", "2 <- 1  effect 1: sum 0 -> 1, log[0] nothing -> \"+1\"", "3  event fail",
                "4 <- 3  rejected fail: no (MoonlightTests/StoreTests.swift:29)", "5  cancelled",
            ])
    }

    @Test("A store that is cancelled inside `apply` keeps the state that was published last", arguments: [false, true])
    func cancelledInApply(isInPlace: Bool) {
        let keeper = Keeper()
        let transform: @Sendable (Int, Int, Void) throws -> AnyPublisher<Int, Never> = { _, event, _ in .just(event) }
        let reducer: Reducer<Int, Int, Int, Void> =
            isInPlace
            ? Reducer(
                transform: transform,
                apply: { (state: inout Int, effect: Int) in
                    if effect == 5 { keeper.cancel() }
                    state += effect
                })
            : Reducer(
                transform: transform,
                apply: { state, effect in
                    if effect == 5 { keeper.cancel() }
                    state += effect
                })
        let store = Store(reducer: reducer, initialState: 0, environment: ())
        keeper.keep(AnyCancellable { [weak store] in store?.cancel() })
        store.send(1)
        store.send(5)
        expectEqual(store.state, 1)
        keeper.drop()
    }
}

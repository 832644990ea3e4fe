import Moonlight
import MoonlightTestSupport
import Streams
import Synchronization
import Testing

@Suite("Store")
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
            initialState: State(), environment: (), options: options,
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
            })
    }

    @Test("a sent event has changed the state when send returns, if its effects lie ready")
    func sendsAtOnce() {
        let store = Self.makeStore()
        store.send(.add(2))
        store.send(.add(3))
        #expect(store.state == State(sum: 5, log: ["+2", "+3"]))
    }

    @Test("who sends an event to a plain store is told that it was taken")
    func taken() {
        let store = Self.makeStore()
        #expect(store.send(.add(2)).word == "settled")
        #expect(store.post(.add(3)).word == "settled")
    }

    @Test("await send returns when asynchronous effects have been applied")
    func awaitsEffects() async {
        let store = Self.makeStore()
        await store.send(.load(7))
        #expect(store.state.sum == 7)
    }

    @Test("await send returns what transform threw")
    func awaitsRejection() async {
        let store = Self.makeStore()
        guard case .failure(.rejected(let error)) = await store.send(.fail) else {
            Issue.record("the event was taken")
            return
        }
        #expect((error as? Rejection)?.reason == "no")
        #expect(store.state.sum == 0)
    }

    @Test("64 tasks get their answers")
    func manyTasks() async {
        let store = Self.makeStore()
        await withTaskGroup(of: Void.self) { group in
            for n in 1...64 { group.addTask { await store.send(.load(n)) } }
        }
        #expect(store.state.sum == 64 * 65 / 2)
    }

    @Test("an ended store says so, and keeps its last state")
    func endedStore() async {
        let store = Self.makeStore()
        await store.send(.add(1))
        store.cancel()
        await store.finished()
        guard case .failure(.ended) = await store.send(.add(1)) else {
            Issue.record("the event was taken")
            return
        }
        #expect(store.state.sum == 1)
    }

    @Test("the journal tells events, effects with their changes, and refusals, each with its cause")
    func journal() {
        let lines = Mutex<[String]>([])
        let store = Self.makeStore(options: .init(journal: { record in lines.withLock { $0.append("\(record)") } }))
        store.send(.add(1))
        store.send(.fail)
        store.cancel()
        #expect(
            lines.withLock { $0 } == [
                "1  event add(1)", "2 <- 1  effect 1: sum 0 -> 1, log[0] nothing -> \"+1\"", "3  event fail",
                "4 <- 3  rejected fail: no (MoonlightTests/StoreTests.swift:24)", "5  cancelled",
            ])
    }

    @Test("a store that is cancelled inside apply keeps the state that was shown last", arguments: [false, true])
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
                    return state + effect
                })
        let store = Store(reducer: reducer, initialState: 0, environment: ())
        keeper.keep(AnyCancellable { [weak store] in store?.cancel() })
        store.send(1)
        store.send(5)
        #expect(store.state == 1)
        keeper.drop()
    }
}

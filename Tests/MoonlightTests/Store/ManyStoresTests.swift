import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Many stores")
struct ManyStoresTests {
    @Test("Thousands of stores can exist at once, independent of each other, and all are released")
    func tenThousand() {
        let (census, count) = (Census(), Budget.size(10_000, quick: 1_000))
        var stores: [Store<Int, Int>] = []
        for number in 0..<count {
            let token = Token("store", in: census)
            stores.append(
                Store(
                    reducer: Reducer(
                        transform: { (_, event: Int, _) in
                            token.touch()
                            return Just(event).eraseToAnyPublisher()
                        }, apply: { $0 += $1 }),
                    initialState: number, environment: ()))
        }
        for (number, store) in stores.enumerated() where number.isMultiple(of: 2) { store.send(1) }
        expect(stores.enumerated().allSatisfy { $1.state == $0 + ($0.isMultiple(of: 2) ? 1 : 0) })
        for store in stores.prefix(count / 2) { store.cancel() }
        // An even number, which was sent 1 above.
        let live = count / 10 * 7
        stores[live].send(10)
        expectEqual(stores[live].state, live + 11)
        expectEqual(stores[10].state, 11)
        stores = []
        expectEqual(census.alive, [])
    }

    @Test("A store that ends while effects of its children are in flight releases their events", arguments: [false, true])
    func children(isReleased: Bool) {
        struct Parent: Equatable, Sendable { var child = 0 }
        let census = Census()
        let live = PassthroughSubject<Int, Never>()
        let child = Reducer<Int, Token, Int, Void>(
            transform: { _, _, _ in live.eraseToAnyPublisher() }, apply: { $0 += $1 })
        var store: Store<Parent, Token>? = Store(
            reducer: child.scoped(
                to: \Parent.child, event: CasePath({ $0 }) { $0 }, effect: CasePath({ $0 }) { $0 }, environment: { (_: Void) in }),
            initialState: Parent(), environment: ())
        store?.send(Token("event", in: census))
        expectEqual(census.alive, ["event"])
        if !isReleased { store?.cancel() }
        store = nil
        expectEqual(census.alive, [])
    }

    @Test("A store that is released ends, with its jobs")
    func released() {
        let census = Census()
        var store: ScriptStore? = scriptStore()
        let token = Token("effect", in: census)
        store?.send(
            .stream("endless") {
                Empty(completeImmediately: false).handleEvents(receiveCancel: { token.touch() }).job("job")
                    .eraseToAnyPublisher()
            })
        let completions = Counter()
        let observer = store?.states.sink(receiveCompletion: { _ in completions.add() }, receiveValue: { _ in })
        expectEqual(store?.jobs.count, 1)
        store = nil
        expectEqual(completions.value, 1)
        withExtendedLifetime(observer) {}
    }

    @Test("`values(of:)` sends the current value of a part of the state, and then its changes")
    func valuesOfPart() {
        struct State: Equatable, Sendable { var (name, count) = ("a", 0) }
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) in Just(event).eraseToAnyPublisher() },
                apply: { (state: inout State, effect: String) in
                    state.name = effect
                    state.count += 1
                }),
            initialState: State(), environment: ())
        let names = Recorder<String>()
        let observer = store.values(of: \.name).sink { names.append($0) }
        for name in ["a", "b", "b", "c"] { store.send(name) }
        expectEqual(names.all, ["a", "b", "c"])
        expectEqual(store.state.count, 4)
        withExtendedLifetime(observer) {}
    }
}

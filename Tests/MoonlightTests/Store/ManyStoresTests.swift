import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Many stores")
struct ManyStoresTests {
    @Test("ten thousand are alive at once, each by itself, and all are released")
    func tenThousand() {
        let census = Census()
        var stores: [Store<Int, Int>] = []
        for number in 0..<10_000 {
            let token = Token("store", in: census)
            stores.append(
                Store(
                    initialState: number, environment: (),
                    transform: { (_, event: Int, _) in
                        token.touch()
                        return Just(event).eraseToAnyPublisher()
                    },
                    apply: { $0 + $1 }))
        }
        for (number, store) in stores.enumerated() where number.isMultiple(of: 2) { store.send(1) }
        #expect(stores.enumerated().allSatisfy { $1.state == $0 + ($0.isMultiple(of: 2) ? 1 : 0) })
        for store in stores.prefix(5_000) { store.cancel() }
        stores[7_000].send(10)
        #expect(stores[7_000].state == 7_011)
        #expect(stores[10].state == 11)
        stores = []
        #expect(census.alive == [])
    }

    @Test("a store that nobody holds any more ends, with its jobs")
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
        #expect(store?.jobs.count == 1)
        store = nil
        #expect(completions.value == 1)
        withExtendedLifetime(observer) {}
    }

    @Test("values(of:) sends a part of the state when it changes, the current one first")
    func valuesOfPart() {
        struct State: Equatable, Sendable { var (name, count) = ("a", 0) }
        let store = Store(
            initialState: State(), environment: (),
            transform: { (_, event: String, _) in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout State, effect: String) in
                state.name = effect
                state.count += 1
            })
        let names = Recorder<String>()
        let observer = store.values(of: \.name).sink { names.append($0) }
        for name in ["a", "b", "b", "c"] { store.send(name) }
        #expect(names.all == ["a", "b", "c"])
        #expect(store.state.count == 4)
        withExtendedLifetime(observer) {}
    }
}

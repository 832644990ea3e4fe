import Dispatch

// Features of Moonlight's loop without a counterpart.

func stores() -> [Work] { [storeEvent, historyEventInPlace, steps, arrayEvent, valuesOf, storeLifetime, storeBytes] }

private var storeEvent: Work {
    Work.prepared(.storeEvent, library) { () -> (Int) -> Void in
        let total = total
        let store = smallStore()
        let observer = store.states.sink { mix($0.sum, into: total) }
        return { n in withExtendedLifetime(observer) { for i in 0..<n { store.send(i) } } }
    }
}

private var arrayEvent: Work {
    Work.prepared(.arrayEvent, library) { () -> (Int) -> Void in
        let total = total
        let store = Store<Small, Int>(
            reducer: Reducer(
                transform: { _, event, _ in [event, event].publisher.eraseToAnyPublisher() }, apply: Small.inPlace),
            initialState: Small(), environment: ())
        let observer = store.states.sink { mix($0.sum, into: total) }
        return { n in withExtendedLifetime(observer) { for i in 0..<n { store.send(i) } } }
    }
}

private var valuesOf: Work {
    Work.prepared(.valuesOf, library) { () -> (Int) -> Void in
        let total = total
        let store = smallStore()
        let observer = store.values(of: \.sum).sink { mix($0, into: total) }
        return { n in withExtendedLifetime(observer) { for i in 0..<n { store.send(i) } } }
    }
}

// 10,000 live stores: each is created, receives an event, and is released.
private var storeLifetime: Work {
    Work(.storeLifetime, library) { n in
        let total = total
        for _ in 0..<(n / 10_000) {
            var stores: [(Store<Small, Int>, AnyCancellable)] = []
            for i in 0..<10_000 {
                let store = smallStore()
                stores.append((store, store.states.sink { mix($0.sum, into: total) }))
                store.send(i)
            }
        }
    }
}

private var storeBytes: Work {
    Work(
        .storeBytes, library,
        hold: { n in
            let total = total
            return (0..<n).map { _ in
                let store = smallStore()
                return (store, store.states.sink { mix($0.sum, into: total) })
            }
        })
}

func smallStore(_ options: LoopOptions<Small, Int, Int> = LoopOptions()) -> Store<Small, Int> {
    Store(
        reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: Small.inPlace),
        initialState: Small(), environment: (), options: options)
}

private var historyEventInPlace: Work {
    Work.prepared(.historyEventInPlace, library) { () -> (Int) -> Void in
        let total = total
        let events = PassthroughSubject<Int, Never>()
        var observers: [AnyCancellable] = []
        let reducer = Reducer<History, Int, Int, Void>(
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: History.inPlace)
        let loop = Store(
            reducer: reducer, initialState: History(), environment: (),
            feedback: { states in
                observers.append(states.sink { mix($0.lines.count, into: total) })
                return [events.eraseToAnyPublisher()]
            })
        return { [observers] n in withExtendedLifetime((loop, observers)) { for i in 0..<n { events.send(i) } } }
    }
}

// The observer answers each state with the next event; the peer's stack overflows after 2,000 of these.
private var steps: Work {
    Work(.steps, library) { n in
        // Sound: one thread at a time runs the loop.
        nonisolated(unsafe) let total = total
        let loop = Moonlight.start(
            initialState: Small(), environment: (),
            feedback: { states in
                states.filter { $0.count < n }.map { state in
                    mix(state.sum, into: total)
                    return state.count
                }.eraseToAnyPublisher()
            },
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: Small.returning)
        loop.cancel()
    }
}

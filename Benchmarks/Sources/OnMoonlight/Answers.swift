import Moonlight
import Streams

// The costs of the stages that a sender can await, and of an effect that is a job.

func answers() -> [Work] {
    [
        awaited(.post) { store, n in for event in 0..<n { store.post(event) } },
        awaited(.decided) { store, n in for event in 0..<n { await store.send(event, until: .decided) } },
        awaited(.reading) { store, n in
            for event in 0..<n { mix((try? await store.send(event) { $0.sum }) ?? 0, into: total) }
        },
        awaited(.settled) { store, n in for event in 0..<n { await store.send(event) } },
        job(.jobEvent) { AnyPublisher(Just($0).job("save", .merge)) },
        job(.jobEffects) { AnyPublisher([$0, $0].publisher.job("save", .merge)) },
    ]
}

private func awaited(_ row: Row, _ send: @escaping @Sendable (Store<Small, Int>, Int) async -> Void) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let store = smallStore()
        return { n in blocking { await send(store, n) } }
    }
}

private func job(_ row: Row, _ effects: @escaping @Sendable (Int) -> AnyPublisher<Int, Never>) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        let store = Store<Small, Int>(
            reducer: Reducer(transform: { _, event, _ in effects(event) }, apply: Small.inPlace),
            initialState: Small(), environment: ())
        return { n in for i in 0..<n { store.send(i) } }
    }
}

// Streams and loops that are created and used on the main actor, on whose thread the rows run.

func onMainActor() -> [Work] {
    [
        Work.prepared(.actorSink, library) { () -> (Int) -> Void in
            let total = total
            let subject = PassthroughSubject<Int, Never>()
            let sink = MainActor.assumeIsolated { subject.sink { mix($0, into: total) } }
            return { n in withExtendedLifetime(sink) { for i in 0..<n { subject.send(i) } } }
        },
        Work.prepared(.actorSubscribing, library) { () -> (Int) -> Void in
            let subject = PassthroughSubject<Int, Never>()
            return { n in MainActor.assumeIsolated { subscribeOnMainActor(to: subject, n) } }
        },
        Work.prepared(.actorEvent, library) { () -> (Int) -> Void in
            let total = total
            let store = MainActor.assumeIsolated { makeStoreOnMainActor() }
            let observer = store.states.sink { mix($0.sum, into: total) }
            return { n in withExtendedLifetime(observer) { for i in 0..<n { store.send(i) } } }
        },
    ]
}

/// A class that is not Sendable, so that the loop is isolated to its actor.
private final class LocalEnvironment {}

@MainActor
private func makeStoreOnMainActor() -> Store<Small, Int> {
    Store<Small, Int>(
        reducer: Reducer(transform: { _, event, _ in Just(event).eraseToAnyPublisher() }, apply: Small.inPlace),
        initialState: Small(), environment: LocalEnvironment())
}

@MainActor
private func subscribeOnMainActor(to subject: PassthroughSubject<Int, Never>, _ n: Int) {
    let total = total
    for _ in 0..<n { subject.map { $0 &+ 1 }.filter { $0 > 0 }.sink { mix($0, into: total) }.cancel() }
}

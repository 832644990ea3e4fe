import Streams
import Synchronization

extension Publisher where Failure == Never {
    /// Runs a stream of events for each key in a set, as long as it is there.
    ///
    /// ```swift
    /// states.react(toEach: \.openFiles) { file in changes(of: file).map { Event.changed(file, $0) } }
    /// ```
    /// A key that appears starts its stream; one that goes cancels it; one that stays is left alone, also if its stream has
    /// finished. Streams of keys that go are cancelled before those of new keys are started.
    ///
    /// - Parameters:
    ///   - keys: The keys that the state asks for.
    ///   - events: Makes the stream of events for a key.
    public func react<Key: Hashable, Events: Publisher>(
        toEach keys: @escaping @Sendable (Output) -> Set<Key>, _ events: @escaping @Sendable (Key) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        KeyedReaction(keySets: map(keys).removeDuplicates().eraseToAnyPublisher(), events: events).eraseToAnyPublisher()
    }
}

/// Each key's stream is one that `switchToLatest` can end: nil replaces it.
private struct KeyedReaction<Key: Hashable, Events: Publisher>: GrammaticalPublisher where Events.Failure == Never {
    typealias Output = Events.Output
    typealias Failure = Never

    let keySets: AnyPublisher<Set<Key>, Never>
    let events: @Sendable (Key) -> Events

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let running = RunningKeys<Key>()
        let events = events
        let makeStreams = { (keys: Set<Key>) -> AnyPublisher<Events.Output, Never> in
            let started = running.change(to: keys)
            return Publishers.MergeMany(started.map { key, end in events(key).prefix(untilOutputFrom: end) })
                .eraseToAnyPublisher()
        }
        keySets.flatMap(sendable(makeStreams)).receive(subscriber: subscriber)
    }
}

/// The keys whose streams run, and what ends each.
private final class RunningKeys<Key: Hashable>: @unchecked Sendable {
    // Sound: states are delivered one at a time, and only they change it.
    private var ends: [Key: PassthroughSubject<Void, Never>] = [:]

    /// Ends the streams of keys that have gone.
    ///
    /// - Returns: The keys that are new, each with what will end its stream.
    func change(to keys: Set<Key>) -> [(Key, PassthroughSubject<Void, Never>)] {
        for (key, end) in ends where !keys.contains(key) {
            ends[key] = nil
            end.send()
            end.send(completion: .finished)
        }
        return keys.filter { ends[$0] == nil }.map { key in
            let end = PassthroughSubject<Void, Never>()
            ends[key] = end
            return (key, end)
        }
    }
}

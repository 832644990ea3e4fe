import Streams
import Synchronization

extension Publisher where Failure == Never {
    /// Runs a stream of events while a query of the state is non-nil: feedback as a function of the state.
    ///
    /// ```swift
    /// feedback: { states in
    ///     [states.react(to: \.query) { query in search(query).map(Event.found) }]
    /// }
    /// ```
    ///
    /// The stream runs while `query` is non-nil and stays equal. When the query changes, the stream is cancelled and the one for
    /// the new query is started; when it becomes nil, the stream is cancelled. So the state determines the work in flight. A
    /// stream that has finished is not started again for an equal query.
    ///
    /// Cancellation does not revoke events that were already sent: one that waits in the mailbox when the query changes is
    /// handled like any other. Where that matters, let the event carry its query, or make the work a job of `transform`: the
    /// waiting effects of a job are dropped when it is cancelled.
    ///
    /// - Parameters:
    ///   - query: Returns the query of a state; nil for none.
    ///   - events: Makes the stream of events for a query.
    /// - Returns: A publisher of the events of the current stream.
    public func react<Query: Equatable, Events: Publisher>(
        to query: @escaping @Sendable (Output) -> Query?, _ events: @escaping @Sendable (Query) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        let queries = AnyPublisher(storing: .hiding(map(query).removeDuplicates()))
        return .inLoop { place in
            let number = place.map { $0.context.reactions.number() }
            let makeStream = { (query: Query?) -> AnyPublisher<Events.Output, Never> in
                guard let query else { return .none }
                return events(query).listed(for: query, of: number)
            }
            return queries.flatMapLatest(sendable(makeStream))
        }
    }

    /// Runs a stream of events while a condition on the state is true.
    ///
    /// - Parameters:
    ///   - condition: The condition. If it is true of the first state, the stream is started then.
    ///   - events: Makes the stream of events.
    /// - Returns: A publisher of the events of the stream.
    public func react<Events: Publisher>(
        when condition: @escaping @Sendable (Output) -> Bool, _ events: @escaping @Sendable () -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        react(to: { condition($0) ? true : nil }, sendable { _ in events() })
    }
}

extension Publisher where Failure == Never {
    /// Runs a stream of events for each key that the state contains, for as long as it contains it.
    ///
    /// ```swift
    /// states.react(toEach: \.openFiles) { file in changes(of: file).map { Event.changed(file, $0) } }
    /// ```
    ///
    /// A key that appears starts its stream; a key that disappears cancels it. The stream of a key that remains is not restarted,
    /// even if it has finished. Streams of keys that disappear are cancelled before those of new keys are started, both in the
    /// order of the keys, so that the order is deterministic if `keys` is an array.
    ///
    /// - Parameters:
    ///   - keys: Returns the keys of a state, a set or a list. Duplicates count once.
    ///   - events: Makes the stream of events for a key.
    /// - Returns: A publisher of the events of all running streams.
    public func react<Keys: Collection & Equatable, Events: Publisher>(
        toEach keys: @escaping @Sendable (Output) -> Keys, _ events: @escaping @Sendable (Keys.Element) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Keys.Element: Hashable, Events.Failure == Never {
        let lists = AnyPublisher(storing: .hiding(map(keys).removeDuplicates().map(sendable { Array($0) })))
        return .inLoop { place in
            let number = place.map { $0.context.reactions.number() }
            let running = RunningKeys<Keys.Element>()
            let makeStreams = { (keys: [Keys.Element]) -> AnyPublisher<Events.Output, Never> in
                // Their key may disappear before or during the subscription: a signal is also received by late subscribers.
                let streams = running.change(to: keys).map { key, isGone in
                    Just(key).flatMap(events).prefix(untilOutputFrom: isGone.sent).listed(for: key, of: number)
                }
                return streams.isEmpty ? .none : AnyPublisher(storing: .hiding(Publishers.MergeMany(streams)))
            }
            return lists.flatMap(sendable(makeStreams))
        }
    }
}

/// The keys whose streams run, and the signal that ends each stream.
private final class RunningKeys<Key: Hashable>: @unchecked Sendable {
    // Sound: states are delivered one at a time, and only their delivery changes this object.
    private var keys: [Key] = []
    private var ends: [Key: Signal] = [:]

    /// Ends the streams of keys that have disappeared.
    ///
    /// - Returns: The new keys, each with the signal that will end its stream.
    func change(to new: [Key]) -> [(Key, Signal)] {
        let wanted = Set(new)
        for key in keys where !wanted.contains(key) { ends.removeValue(forKey: key)?.send() }
        var started: [(Key, Signal)] = []
        for key in new where ends[key] == nil {
            let end = Signal()
            ends[key] = end
            started.append((key, end))
        }
        keys = new
        return started
    }
}

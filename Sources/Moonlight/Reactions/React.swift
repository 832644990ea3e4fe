import Streams

extension Publisher where Failure == Never {
    /// Runs a stream of events as long as the state asks for it: feedback as a function of the state.
    ///
    /// ```swift
    /// feedback: { states in
    ///     [states.react(to: \.query) { query in search(query).map(Event.found) }]
    /// }
    /// ```
    /// While `query` is non-nil and stays equal, its stream runs; when it changes, the stream is cancelled and the one for
    /// the new query started; when it becomes nil, it is cancelled. So what is in flight can be read off the state, and is
    /// ended by changing it. A stream that has finished is not started again for an equal query.
    ///
    /// An event that the stream has sent is an event: one that waits in the mailbox when the query changes is handled like any
    /// other. Where that matters, let it carry its query, or make the work a job of `transform`, whose waiting effects are
    /// dropped with it.
    ///
    /// - Parameters:
    ///   - query: What the state asks for; nil for nothing.
    ///   - events: Makes the stream of events for a query.
    public func react<Query: Equatable, Events: Publisher>(
        to query: @escaping @Sendable (Output) -> Query?, _ events: @escaping @Sendable (Query) -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        let makeStream = { (query: Query?) -> AnyPublisher<Events.Output, Never> in
            guard let query else { return Empty().eraseToAnyPublisher() }
            return ListedReaction(upstream: events(query), key: String(describing: query)).eraseToAnyPublisher()
        }
        return map(query).removeDuplicates().flatMapLatest(sendable(makeStream))
            .eraseToAnyPublisher()
    }

    /// Runs a stream of events from the moment in which something becomes true of the state until it no longer is.
    ///
    /// - Parameters:
    ///   - condition: What must be true; it also counts if it is so in the first state.
    ///   - events: Makes the stream of events.
    public func react<Events: Publisher>(
        when condition: @escaping @Sendable (Output) -> Bool, _ events: @escaping @Sendable () -> Events
    ) -> AnyPublisher<Events.Output, Never> where Events.Failure == Never {
        react(to: { condition($0) ? true : nil }, sendable { _ in events() })
    }
}

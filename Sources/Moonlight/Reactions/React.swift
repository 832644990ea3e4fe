import Streams

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
        let makeStream = { (query: Query?) -> AnyPublisher<Events.Output, Never> in
            guard let query else { return Empty().eraseToAnyPublisher() }
            return ListedReaction(upstream: events(query), key: query).eraseToAnyPublisher()
        }
        return map(query).removeDuplicates().flatMapLatest(sendable(makeStream))
            .eraseToAnyPublisher()
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

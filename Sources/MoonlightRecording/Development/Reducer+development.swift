import Moonlight
import Streams

extension Reducer {
    /// Returns this reducer with its history, for use in development: steps can be inspected and skipped while the program
    /// runs.
    ///
    /// ```swift
    /// let store = Store(
    ///     reducer: app.inDevelopment(keeping: 1_000), initialState: Development(App()), environment: live,
    ///     feedback: { $0.latest { states in [ … ] } })
    /// store.send(.event(.add))
    /// store.send(.command(.skip(3)))      // as if step 3 had not happened
    /// store.send(.command(.jump(to: 1)))  // `state.displayed` is the state after step 1; `state.latest` is unaffected
    /// ```
    /// It is an ordinary reducer: plans and explorations run it, too. Effects never run again. Commands do not affect work in
    /// flight; each ``DevelopmentCommand`` documents the treatment of its effects.
    ///
    /// - Parameter limit: The number of steps to keep, at least 1.
    /// - Complexity: Once `limit` steps are kept, each further one folds the oldest a second time and moves the others. Skip,
    ///   restore and jump fold all of them. Three states are kept, which share their unchanged parts.
    public func inDevelopment(
        keeping limit: Int
    ) -> Reducer<
        Development<State, Event, Effect>, DevelopmentEvent<Event>, DevelopmentEffect<Event, Effect>, Environment
    > {
        precondition(limit > 0, "inDevelopment(keeping: \(limit)): the number of steps must be at least 1")
        return hosted(
            at: \Development<State, Event, Effect>.latest, event: { .event($0) },
            transform: { state, event, next -> Effects<DevelopmentEffect<Event, Effect>> in
                switch event {
                case .command(let command):
                    if let refusal = state.refusal(of: command) { throw refusal }
                    return .just(.command(command))
                case .event(let event):
                    if state.isLocked { throw Rejection("the store is locked: unlock it to send events") }
                    // The event is the step after the last: nothing happens between `transform` and the first ready effect.
                    let cause = state.count + 1
                    return .just(.began(event)).combined(with: try next(event).map { .effect($0, cause: cause) })
                }
            },
            apply: { state, effect, first in
                // A repeated fold has no consequences outside the state: no events, no removed children.
                let again: Development<State, Event, Effect>.Fold = { try self.apply($1, to: &$0) }
                switch effect {
                case .began(let event): state.begin(event, keeping: limit, again)
                case .effect(let effect, let cause):
                    try state.take(effect, cause: cause, keeping: limit, again, first: first)
                case .command(let command): state.carryOut(command, keeping: limit, again, first: first)
                }
            })
    }
}

extension Publisher where Failure == Never {
    /// Connects the feedback of a reducer to the reducer in development. It observes the latest state, even if another is
    /// displayed.
    ///
    /// - Parameter feedback: The feedback of the reducer; called once, during this call, with the stream of its latest states.
    /// - Returns: The streams of events for the reducer in development.
    public func latest<State, Event, Effect>(
        _ feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) -> [AnyPublisher<DevelopmentEvent<Event>, Never>] where Output == Development<State, Event, Effect> {
        feedback(map(\.latest).removeDuplicates().eraseToAnyPublisher())
            .map { events in events.map { DevelopmentEvent.event($0) }.eraseToAnyPublisher() }
    }
}

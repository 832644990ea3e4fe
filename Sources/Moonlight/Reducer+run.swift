import Streams

extension Reducer where Environment: Sendable, State: Sendable {
    /// Runs this reducer in a separate loop until it has a result, for example a dialog, a wizard or a login that a parent
    /// awaits like any other work.
    ///
    /// ```swift
    /// case .buy where state.user == nil:
    ///     return login.run(initialState: Login(), environment: environment.login, feedback: environment.showLogin) { $0.user }
    ///         .map(AppEffect.loggedIn)
    ///         .eraseToAnyPublisher()
    /// ```
    /// Each subscription starts a loop. At the first result, the loop is cancelled, and the publisher sends the result and finishes.
    /// If the loop ends by itself before that, the publisher finishes without a result. Cancelling the subscription cancels the loop, also
    /// when the parent's loop or a job is cancelled or a child is removed. To keep the state in that of the parent, scope the
    /// reducer to an optional, which also takes a `result`.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - feedback: Called once per loop with its stream of states; returns the streams of events.
    ///   - result: Returns the result for a state; nil while there is none.
    /// - Returns: A publisher of one result.
    public func run<Result>(
        initialState: State, environment: Environment,
        feedback: @escaping @Sendable (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        result: @escaping @Sendable (State) -> Result?
    ) -> AnyPublisher<Result, Never> {
        let results = SeparateLoop<Result> { subscriber in
            let loop = Loop(initialState, environment, self, home: nil)
            let states = loop.makeStatePublisher()
            loop.bind(states, feedback) {
                // The last of the observers, so that all of them receive the state with the result. Events that are already waiting
                // precede the first state of `states`. `first` cancels its upstream as soon as there is a result.
                states.prepend(initialState).compactMap(result).handleEvents(receiveCancel: { loop.cancel() }).first()
                    .subscribe(subscriber)
            }
        }
        return AnyPublisher(storing: .hiding(results))
    }
}

/// A publisher of the result of a loop that is started for each subscriber.
private struct SeparateLoop<Result>: GrammaticalPublisher {
    typealias Output = Result
    typealias Failure = Never
    let start: (AnySubscriber<Result, Never>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Result, S.Failure == Never {
        WorkContext.bind(for: subscriber._subscriberContext) { start(AnySubscriber(subscriber)) }
    }
}

import Streams

extension Reducer where Environment: Sendable, State: Sendable {
    /// Runs this reducer in a loop of its own until it has a result, for example a dialog, a wizard or a login that a parent
    /// awaits like any other work.
    ///
    /// ```swift
    /// case .buy where state.user == nil:
    ///     return login.run(initialState: Login(), environment: environment.login, feedback: environment.showLogin) { $0.user }
    ///         .map(AppEffect.loggedIn)
    ///         .eraseToAnyPublisher()
    /// ```
    /// Each subscription starts a loop. The publisher sends the first result and finishes, and the loop is cancelled. If the loop
    /// ends by itself before that, the publisher finishes without a result. Cancelling the subscription cancels the loop, also
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
        AnyPublisher(
            ResultOfRun(
                start: {
                    Loop(initialState, environment, self, home: nil).start(store: $0, feedback)
                }, result: result))
    }
}

/// A publisher that starts a loop for each subscriber, and cancels the loop after the first result.
private struct ResultOfRun<State, Output>: GrammaticalPublisher {
    typealias Failure = Never

    let start: ((AnyCancellable) -> Void) -> AnyPublisher<State, Never>
    let result: @Sendable (State) -> Output?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        var loop: AnyCancellable?
        let states = start { loop = $0 }
        let handle = UncheckedTransfer(loop)
        states.compactMap(result).first()
            .handleEvents(receiveCompletion: { _ in handle.value?.cancel() }, receiveCancel: { handle.value?.cancel() })
            .receive(subscriber: subscriber)
    }
}

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
        let results = Deferred {
            var loop: AnyCancellable?
            let states = Loop(initialState, environment, self, home: nil).start(store: { loop = $0 }, feedback)
            let handle = UncheckedTransfer(loop)
            return states.compactMap(result).first().handleEvents(
                receiveCompletion: { _ in handle.value?.cancel() }, receiveCancel: { handle.value?.cancel() })
        }
        return AnyPublisher(storing: .hiding(results))
    }
}

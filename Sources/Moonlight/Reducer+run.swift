import Streams

extension Reducer where Environment: Sendable, State: Sendable {
    /// Runs this reducer by itself, for a result: a dialog, a wizard, a login that a parent awaits as it awaits any other
    /// work.
    ///
    /// ```swift
    /// case .buy where state.user == nil:
    ///     return login.run(initialState: Login(), environment: environment.login, feedback: environment.showLogin) { $0.user }
    ///         .map(AppEffect.loggedIn)
    ///         .eraseToAnyPublisher()
    /// ```
    /// Its loop starts when somebody subscribes, sends the first result there is, once, and ends; it ends without one when
    /// the loop comes to its natural end. To cancel the subscription, with the parent's loop, a job, or a child that leaves,
    /// cancels it. To have its state in that of the parent, scope it to an optional, which takes a `result`, too.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What the reducer needs to do its work.
    ///   - feedback: Called for each run with the stream of states; returns the streams of events.
    ///   - result: The result, once there is one.
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

/// Starts a loop for each subscriber, and ends it with the first result.
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

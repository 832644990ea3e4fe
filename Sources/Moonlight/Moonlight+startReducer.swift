import Streams

// The forms of `start` that run a reducer.
extension Moonlight {
    /// Runs a reducer with a stream of events, until the loop is cancelled or ends by itself.
    ///
    /// ```swift
    /// Moonlight.start(app, initialState: App(), environment: .live, feedback: ui.bind)
    /// ```
    /// This is the same loop as that of the forms with `transform` and `apply`, with the same guarantees. For access to the
    /// state and the stream of states outside of `feedback`, use a ``Store``.
    ///
    /// - Parameters:
    ///   - reducer: The reducer to run.
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - options: Optional features of the loop, all off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the stream of events.
    ///   - isolation: The actor that the loop is started and runs on. Leave the default.
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init)).start { [feedback($0)] }
    }

    /// Runs a reducer with several streams of events, until the loop is cancelled or ends by itself.
    ///
    /// See the form with one stream of events for the parameters.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init)).start(feedback)
    }

    /// Runs a reducer whose environment may be used from any thread, with a stream of events.
    ///
    /// See the form for any environment for the parameters.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>
    ) -> AnyCancellable {
        Loop(initialState, environment, reducer, options, home: nil).start { [feedback($0)] }
    }

    /// Runs a reducer whose environment may be used from any thread, with several streams of events.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]
    ) -> AnyCancellable {
        Loop(initialState, environment, reducer, options, home: nil).start(feedback)
    }
}

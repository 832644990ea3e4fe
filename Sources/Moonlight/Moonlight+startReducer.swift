import Streams

// The forms that run a reducer.
extension Moonlight {
    /// Runs a reducer with a stream of events, until it is cancelled or comes to its natural end.
    ///
    /// ```swift
    /// Moonlight.start(app, initialState: App(), environment: .live, feedback: ui.bind)
    /// ```
    /// It is the same loop as the forms with `transform` and `apply` run, with the same guarantees. A ``Store`` has a stream of states
    /// that can be asked for.
    ///
    /// - Parameters:
    ///   - reducer: What the loop does with events and effects.
    ///   - initialState: The state before any effect.
    ///   - environment: What the reducer needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the stream of events.
    ///   - isolation: Where the loop is started, and runs; leave it to its default.
    /// - Returns: What keeps the loop going; cancels it when released.
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

    /// Runs a reducer with several streams of events, until it is cancelled or comes to its natural end.
    ///
    /// See the form with one stream of events for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
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

    /// Runs a reducer, whose environment may be used from any thread, with a stream of events.
    ///
    /// See the form for any environment for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
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

    /// Runs a reducer, whose environment may be used from any thread, with several streams of events.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
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

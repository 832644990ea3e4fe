import Streams

// The forms that run a reducer.
extension Moonlight {
    /// Runs a reducer with a stream of events, until it is cancelled or comes to its natural end.
    ///
    /// ```swift
    /// Moonlight.start(app, initialState: App(), environment: .live, feedback: ui.bind)
    /// ```
    /// It is the same loop as the forms with `transform` and `apply` run, with the same guarantees.
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
        let loop = Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init))
        loop.bind(loop.makeStatePublisher()) { [feedback($0)] }
        return AnyCancellable(loop)
    }

    /// Runs a reducer with several streams of events, until it is cancelled or comes to its natural end.
    ///
    /// See the form for any environment and one stream of events for the parameters.
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
        let loop = Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init))
        loop.bind(loop.makeStatePublisher(), feedback)
        return AnyCancellable(loop)
    }

    /// Runs a reducer with a stream of events, and returns its stream of states.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init))
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states) { [feedback($0)] }
        return states
    }

    /// Runs a reducer with several streams of events, and returns its stream of states.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init))
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states, feedback)
        return states
    }

    /// Runs a reducer, whose environment may be used from any thread, with a stream of events, until it is cancelled or comes to its natural end.
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
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, reducer, options, home: nil)
        loop.bind(loop.makeStatePublisher()) { [feedback($0)] }
        return AnyCancellable(loop)
    }

    /// Runs a reducer, whose environment may be used from any thread, with several streams of events, until it is cancelled or comes to its natural end.
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
        let loop = Loop(initialState, environment, reducer, options, home: nil)
        loop.bind(loop.makeStatePublisher(), feedback)
        return AnyCancellable(loop)
    }

    /// Runs a reducer, whose environment may be used from any thread, with a stream of events, and returns its stream of states.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, reducer, options, home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states) { [feedback($0)] }
        return states
    }

    /// Runs a reducer, whose environment may be used from any thread, with several streams of events, and returns its stream of states.
    ///
    /// See the form for any environment and one stream of events for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        _ reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, reducer, options, home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states, feedback)
        return states
    }
}

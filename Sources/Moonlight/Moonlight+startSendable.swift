import Streams

// The same forms for a Sendable environment: nothing ties such a loop to an actor.
extension Moonlight {
    /// Runs a loop whose environment may be used from any thread, until it is cancelled or comes to its natural end.
    ///
    /// The loop runs wherever events and effects come from, also when it was started on an actor. See the form for any
    /// environment for what else can be relied on and for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .returning(apply), home: nil)
        loop.bind(loop.makeStatePublisher()) { [feedback($0)] }
        return AnyCancellable(loop)
    }

    /// Runs a loop with several streams of events, whose environment may be used from any thread.
    ///
    /// See the forms for any environment for what can be relied on and for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State
    ) -> AnyCancellable {
        let loop = Loop(initialState, environment, transform, .returning(apply), home: nil)
        loop.bind(loop.makeStatePublisher(), feedback)
        return AnyCancellable(loop)
    }

    /// Runs a loop whose environment may be used from any thread, and returns its stream of states.
    ///
    /// See the forms for any environment for what can be relied on and for the parameters.
    ///
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .returning(apply), home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states) { [feedback($0)] }
        return states
    }

    /// Runs a loop with several streams of events, whose environment may be used from any thread, and returns its stream
    /// of states.
    ///
    /// See the forms for any environment for what can be relied on and for the parameters.
    ///
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, transform, .returning(apply), home: nil)
        let states = loop.makeStatePublisher()
        store(AnyCancellable(loop))
        loop.bind(states, feedback)
        return states
    }
}

import Streams

extension Store {
    /// Runs a loop and holds on to it, on the actor that calls if there is one: its environment may not leave it.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What `transform` needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to refuse it.
    ///   - apply: Folds an effect into the state. Pure.
    ///   - isolation: Where the loop runs; leave it to its default.
    @inlinable
    public convenience init<Effect, Environment>(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(
            initialState, environment, feedback, transform, .returning(apply), options, home: isolation.map(HomeActor.init))
    }

    /// Runs a loop and holds on to it, on the actor that calls if there is one: its environment may not leave it.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What `transform` needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to refuse it.
    ///   - apply: Folds an effect into the state, in place. Pure.
    ///   - isolation: Where the loop runs; leave it to its default.
    @inlinable
    public convenience init<Effect, Environment>(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(
            initialState, environment, feedback, transform, .inPlace(apply), options, home: isolation.map(HomeActor.init))
    }

    /// Runs a loop and holds on to it, wherever events and effects come from.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What `transform` needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to refuse it.
    ///   - apply: Folds an effect into the state. Pure.
    @inlinable
    public convenience init<Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State
    ) {
        self.init(
            initialState, environment, feedback, transform, .returning(apply), options, home: nil)
    }

    /// Runs a loop and holds on to it, wherever events and effects come from.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What `transform` needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to refuse it.
    ///   - apply: Folds an effect into the state, in place. Pure.
    @inlinable
    public convenience init<Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void
    ) {
        self.init(
            initialState, environment, feedback, transform, .inPlace(apply), options, home: nil)
    }
}

import Streams

// A loop whose environment is Sendable is not tied to an actor. Only the compiler knows whether a type is Sendable, so each form
// exists twice.
//
// The forms whose `apply` works in place are disfavored: with both kinds to choose from, the compiler tries every combination with the
// operators in `apply`, which takes up to forty times as long.
extension Store {
    /// Creates a store that runs a reducer, isolated to the calling actor, if there is one: the environment, which is not
    /// Sendable, must not leave that actor.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
    @inlinable
    public convenience init<Effect, Environment>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(Loop(initialState, environment, reducer, options, home: isolation), feedback)
    }

    /// Creates a store that runs a reducer on the threads that send events and effects.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of the reducer.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    @inlinable
    public convenience init<Effect, Environment: Sendable>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] }
    ) {
        self.init(Loop(initialState, environment, reducer, options, home: nil), feedback)
    }

    /// Creates a store that runs a loop, isolated to the calling actor, if there is one: the environment, which is not
    /// Sendable, must not leave that actor.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject the event.
    ///   - apply: Folds an effect into the state and returns the new state. Must be pure.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback, isolation: isolation)
    }

    /// Creates a store that runs a loop on whichever threads send events and effects.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject the event.
    ///   - apply: Folds an effect into the state and returns the new state. Must be pure.
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback)
    }

    /// Creates a store that runs a loop, isolated to the calling actor, if there is one: the environment, which is not
    /// Sendable, must not leave that actor.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject the event.
    ///   - apply: Folds an effect into the state, in place. Must be pure.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
    @inlinable @_disfavoredOverload
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback, isolation: isolation)
    }

    /// Creates a store that runs a loop on whichever threads send events and effects.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject the event.
    ///   - apply: Folds an effect into the state, in place. Must be pure.
    @inlinable @_disfavoredOverload
    public convenience init<Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) -> Void
    ) {
        self.init(
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback)
    }
}

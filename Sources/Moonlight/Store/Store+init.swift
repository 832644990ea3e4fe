import Streams

// The forms for a Sendable environment have no home: nothing ties such a loop to an actor. Only the compiler knows whether a type
// is Sendable, so each form is there twice.
extension Store {
    /// Runs a reducer and holds on to it, on the actor that calls if there is one: its environment may not leave it.
    ///
    /// - Parameters:
    ///   - reducer: What the loop does with events and effects.
    ///   - initialState: The state before any effect.
    ///   - environment: What the reducer needs to do its work.
    ///   - options: What the loop does beyond the plain.
    ///   - feedback: Called once, during this call, with the stream of states; returns the streams of events.
    ///   - isolation: Where the loop runs; leave it to its default.
    @inlinable
    public convenience init<Effect, Environment>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init)), feedback)
    }

    /// Runs a reducer and holds on to it, wherever events and effects come from.
    ///
    /// - Parameters:
    ///   - reducer: What the loop does with events and effects.
    ///   - initialState: The state before any effect.
    ///   - environment: What the reducer needs to do its work.
    ///   - options: What the loop does beyond the plain.
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback, isolation: isolation)
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback)
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback, isolation: isolation)
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
            reducer: Reducer(transform: transform, apply: apply), initialState: initialState, environment: environment,
            options: options, feedback: feedback)
    }
}

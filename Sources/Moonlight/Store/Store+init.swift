import Streams

// A loop whose environment is Sendable is not tied to an actor. Only the compiler knows whether a type is Sendable, so each form
// exists twice. There is no form with closures: the compiler would infer `transform`, `apply` and `feedback` as one expression, and give
// up after a few operators.
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
}

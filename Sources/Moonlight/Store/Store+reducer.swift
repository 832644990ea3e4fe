import Streams

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
        self.init(
            Loop(initialState, environment, reducer, options, home: isolation.map(HomeActor.init)), feedback)
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
}

import Moonlight
import Streams

// A loop whose environment is Sendable has no home: see `Store.init`.
extension Store where State: Sendable, Event: Sendable {
    /// Creates a durable store, isolated to the calling actor, if there is one: see the form with `interrupted`. Work that was cut off is
    /// begun anew: its event is sent again.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: How the store is kept.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
    /// - Throws: The reason why the log cannot be opened.
    @inlinable
    public convenience init<Effect: Sendable, Environment>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        durable: Durable<State, Event, Effect>,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation
    ) async throws(DurabilityError) {
        let log = try await durable.open(reducer, initialState) { .send($0.event) }
        self.init(
            reducer: reducer, initialState: log.state, environment: environment, options: log.options(options), feedback: feedback
        )
    }

    /// Creates a durable store: see the form with `interrupted`. Work that was cut off is begun anew: its event is sent again.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: How the store is kept.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which `feedback` is called; leave it to its default.
    /// - Throws: The reason why the log cannot be opened.
    @inlinable
    public convenience init<Effect: Sendable, Environment: Sendable>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        durable: Durable<State, Event, Effect>,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation
    ) async throws(DurabilityError) {
        let log = try await durable.open(reducer, initialState) { .send($0.event) }
        self.init(
            reducer: reducer, initialState: log.state, environment: environment, options: log.options(options), feedback: feedback
        )
    }

    /// Creates a durable store, isolated to the calling actor, if there is one: the environment, which is not Sendable, must not leave
    /// that actor. See the other form.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: How the store is kept.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
    ///   - interrupted: Called once for each piece of work that was cut off, oldest first; says what is to become of it. Never called if
    ///     ``Durable`` was given nil for a schema of events.
    /// - Throws: The reason why the log cannot be opened.
    @inlinable
    public convenience init<Effect: Sendable, Environment>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        durable: Durable<State, Event, Effect>,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation,
        interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) async throws(DurabilityError) {
        let log = try await durable.open(reducer, initialState, interrupted)
        self.init(
            reducer: reducer, initialState: log.state, environment: environment, options: log.options(options), feedback: feedback
        )
    }

    /// Creates a store whose effects are logged before they are told.
    ///
    /// ```swift
    /// let orders = try await Store(
    ///     reducer: orders, initialState: Orders(), environment: world,
    ///     durable: .folder("orders", schema: Schema(OrderEffect.self))
    /// ) { interrupted in .send(.retry(interrupted.event, key: interrupted.key)) }
    /// ```
    /// The state is what the log leads to: that of the newest snapshot, with what follows folded in. The loop then runs as any other,
    /// but for this: before an effect is in the log, to the degree asked for, no observer and no reaction sees what it has led to, no
    /// `await send` is answered, and no stream of effects is subscribed to that a `transform` has returned which has seen it. `transform`
    /// and `apply` themselves do not wait. The effects of one event that are ready are in the log together or not at all.
    ///
    /// If the log cannot be written, whoever waits receives `SendError.notDurable(_:isTaken:)`, further events are refused with
    /// it, and ``Durability`` says why.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: How the store is kept.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which `feedback` and `interrupted` are called; leave it to its default.
    ///   - interrupted: Called once for each piece of work that was cut off, oldest first; says what is to become of it. Never called if
    ///     ``Durable`` was given nil for a schema of events.
    /// - Throws: The reason why the log cannot be opened.
    @inlinable
    public convenience init<Effect: Sendable, Environment: Sendable>(
        reducer: Reducer<State, Event, Effect, Environment>,
        initialState: State,
        environment: Environment,
        durable: Durable<State, Event, Effect>,
        options: LoopOptions<State, Event, Effect> = LoopOptions(),
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>] = { _ in [] },
        isolation: isolated (any Actor)? = #isolation,
        interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) async throws(DurabilityError) {
        let log = try await durable.open(reducer, initialState, interrupted)
        self.init(
            reducer: reducer, initialState: log.state, environment: environment, options: log.options(options), feedback: feedback
        )
    }
}

extension Store {
    /// The log of a durable store; nil for another.
    public var durability: Durability? { (log as? any HasDurability)?.handle }
}

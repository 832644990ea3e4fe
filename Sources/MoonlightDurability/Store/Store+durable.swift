import Moonlight
import Streams

// A loop whose environment is Sendable is not isolated: see `Store.init`.
extension Store where State: Sendable, Event: Sendable {
    /// Creates a durable store, isolated to the calling actor, if any: see the form with `interrupted`. The events of interrupted work are
    /// sent again.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: The description of the store's durability.
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

    /// Creates a durable store: see the form with `interrupted`. The events of interrupted work are sent again.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: The description of the store's durability.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which `feedback` is called; leave the default.
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
    ///   - durable: The description of the store's durability.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which the loop runs; leave it to its default.
    ///   - interrupted: Called once for each interrupted piece of work, oldest first; decides about it. Never called if ``Durable`` has no
    ///     schema of events.
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

    /// Creates a store whose effects are in the log before they are published.
    ///
    /// ```swift
    /// let orders = try await Store(
    ///     reducer: orders, initialState: Orders(), environment: world,
    ///     durable: .folder("orders", schema: Schema(OrderEffect.self))
    /// ) { interrupted in .send(.retry(interrupted.event, key: interrupted.key)) }
    /// ```
    /// The state is the newest snapshot with the records after it folded in. The loop differs from others in one respect: until
    /// an effect is in the log, to the chosen degree, no observer or reaction receives the new state, no `await send` returns,
    /// and no stream of effects that `transform` has returned for that state is subscribed to. `transform` and `apply` do not
    /// wait. The ready effects of one event are in the log together or not at all.
    ///
    /// If the log cannot be written, waiting senders receive `SendError.notDurable(_:isTaken:)`, further events are refused with it, and
    /// ``Durability/status`` has the reason.
    ///
    /// - Parameters:
    ///   - reducer: The reducer that the loop runs.
    ///   - initialState: The state before any effect, if the log is empty.
    ///   - environment: The dependencies of the reducer.
    ///   - durable: The description of the store's durability.
    ///   - options: The options of the loop; all are off by default.
    ///   - feedback: Called once with the stream of states; returns the streams of events.
    ///   - isolation: The actor on which `feedback` and `interrupted` are called; leave the default.
    ///   - interrupted: Called once for each interrupted piece of work, oldest first; decides about it. Never called if ``Durable`` has no
    ///     schema of events.
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
    /// The log of a durable store; nil for other stores.
    public var durability: Durability? { (log as? any DurabilityActions)?.handle }
}

import Streams

extension Moonlight {
    /// Runs a loop until it is cancelled or comes to its natural end.
    ///
    /// ```swift
    /// enum Event { case plus, minus }
    ///
    /// let keys = PassthroughSubject<Event, Never>()
    /// let loop = Moonlight.start(
    ///     initialState: 0,
    ///     environment: (),
    ///     feedback: { states in
    ///         states.sink { print($0) }.store(in: &subscriptions)
    ///         return keys.eraseToAnyPublisher()
    ///     },
    ///     transform: { _, event, _ in Just(event == .plus ? 1 : -1).eraseToAnyPublisher() },
    ///     apply: { state, effect in state + effect }
    /// )
    /// ```
    ///
    /// What can be relied on:
    /// - **One mailbox.** Events, and effects that arrive later, are taken one at a time, first in, first out, by one thread
    ///   at a time: the one that found the loop idle. Others leave theirs and return. No lock is held while your code runs;
    ///   what it sends from inside is queued, so that feedback may go round and round in constant stack.
    /// - **Events.** `transform` sees the state of that moment. Effects that its stream sends from inside `subscribe` are
    ///   applied before anything else; those that come later, or from another thread, queue in the order in which they come.
    /// - **Observers** of the states are served in the order in which they subscribed, all see the same states in the same
    ///   order, and a state equal to the one before is not sent.
    /// - **Binding.** While `feedback` binds, nothing is delivered: events that are sent meanwhile are kept and run when all
    ///   of it is bound.
    /// - **The end.** After `cancel()`, from anywhere, nothing of the loop runs but a call that another thread had begun;
    ///   live effects are cancelled, the stream of states finishes, everything is released. The loop ends by itself when
    ///   every event stream has finished, no effect is live and nothing is left to do; then whoever holds the stream of
    ///   states can still get the last one from it.
    ///
    /// The loop runs wherever events and effects come from. Only an environment that is not Sendable, say a struct of
    /// closures formed on an actor, must not leave that actor: started there, the loop runs there, and what is sent
    /// elsewhere queues to it. That is this form; the one for a Sendable environment is chosen by itself.
    ///
    /// An event whose effects lie ready (`Just`, an array's publisher) allocates nothing.
    ///
    /// An `apply` that changes the state in place, children, middleware and ``LoopOptions`` need a ``Reducer``, which has forms of its
    /// own.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: What `transform` needs to do its work, usually a struct of closures.
    ///   - feedback: Called once, during this call, with the stream of states, in which each new subscriber gets the current
    ///     state first and then each change. Returns the stream of events.
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is refused: the state stays as it is
    ///     and the loop goes on.
    ///   - apply: Folds an effect into the state. Pure: the same input gives the same output, and nothing else happens.
    ///   - isolation: Where the loop is started, and runs; leave it to its default.
    /// - Returns: What keeps the loop going; cancels it when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        let loop = Loop(
            initialState, environment, Reducer(transform: transform, apply: apply), home: isolation.map(HomeActor.init))
        return loop.start({ [feedback($0)] })
    }

    /// Runs a loop with several streams of events.
    ///
    /// See the form with one stream for what can be relied on and for the parameters.
    ///
    /// - Returns: What keeps the loop going; cancels it when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        let loop = Loop(
            initialState, environment, Reducer(transform: transform, apply: apply), home: isolation.map(HomeActor.init))
        return loop.start(feedback)
    }

    /// Runs a loop and returns its stream of states, for a feature that answers with a result.
    ///
    /// ```swift
    /// let choice = Moonlight.start(…, store: { $0.store(in: &subscriptions) })
    ///     .compactMap(\.result)
    ///     .first()
    /// ```
    /// See the form without `store` for what can be relied on and for the other parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(
            initialState, environment, Reducer(transform: transform, apply: apply), home: isolation.map(HomeActor.init))
        return loop.start(store: store) { [feedback($0)] }
    }

    /// Runs a loop with several streams of events and returns its stream of states.
    ///
    /// See the other forms for what can be relied on and for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
    /// - Returns: The stream of states: each subscriber gets the current one first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        store: (AnyCancellable) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(
            initialState, environment, Reducer(transform: transform, apply: apply), home: isolation.map(HomeActor.init))
        return loop.start(store: store, feedback)
    }
}

// The same for a Sendable environment: nothing ties such a loop to an actor. Only the compiler knows whether a type is Sendable, so
// each form is there twice.
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
        let loop = Loop(initialState, environment, Reducer(transform: transform, apply: apply), home: nil)
        return loop.start({ [feedback($0)] })
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
        let loop = Loop(initialState, environment, Reducer(transform: transform, apply: apply), home: nil)
        return loop.start(feedback)
    }

    /// Runs a loop whose environment may be used from any thread, and returns its stream of states.
    ///
    /// See the forms for any environment for what can be relied on and for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
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
        let loop = Loop(initialState, environment, Reducer(transform: transform, apply: apply), home: nil)
        return loop.start(store: store) { [feedback($0)] }
    }

    /// Runs a loop with several streams of events, whose environment may be used from any thread, and returns its stream of states.
    ///
    /// See the other forms for what can be relied on and for the parameters.
    ///
    /// - Parameter store: Given what keeps the loop going; it cancels it when released.
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
        let loop = Loop(initialState, environment, Reducer(transform: transform, apply: apply), home: nil)
        return loop.start(store: store, feedback)
    }
}

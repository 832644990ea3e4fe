import Streams

// The forms with one stream are tried last: the compiler would otherwise try each way to read the closures in both, and give up on the
// form with several streams even if types are written.
extension Moonlight {
    /// Runs a loop until it is cancelled or ends by itself.
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
    /// Guarantees:
    /// - **One mailbox.** Events, and effects that arrive later, are handled one at a time, first in, first out, by one thread at
    ///   a time. A thread that finds the loop idle handles its own item and its consequences; other threads post their items,
    ///   which a separate job handles, and return. No lock is held while your code runs. Events that your code sends from inside
    ///   the loop are queued, so feedback does not grow the stack.
    /// - **Events.** `transform` receives the current state. Effects that its stream sends during the subscription are applied
    ///   before any queued item; effects that arrive later, or from another thread, are queued in order of arrival.
    /// - **Observers** of the states are notified in the order in which they subscribed. All receive the same states in the same
    ///   order. A state that equals the previous one is not sent.
    /// - **Binding.** While `feedback` is being bound, nothing is delivered: events that are sent meanwhile are handled when all
    ///   streams are bound.
    /// - **The end.** After `cancel()`, which may be called from anywhere, no code of the loop runs except a call that another
    ///   thread has already begun, and the rest of the fold in which it was called. Live effects are cancelled, the stream of
    ///   states finishes, and everything is released. The loop ends by itself when every event stream has finished, no effect is
    ///   live and the mailbox is empty; the stream of states then still delivers the last state to new subscribers.
    ///
    /// The loop runs on the threads that events and effects arrive on. The exception is this form, for an environment that is not
    /// Sendable (for example, a struct of closures formed on an actor) and so must not leave its actor: a loop that is started on
    /// an actor runs there, and items from elsewhere are queued to that actor. The compiler chooses the form for a Sendable
    /// environment automatically.
    ///
    /// An event whose effects are ready (`Just`, an array's publisher) allocates no memory.
    ///
    /// The compiler infers the three closures together. If they compute and it takes long or gives up, write the types of the states
    /// and of the event: `feedback: { (states: AnyPublisher<Int, Never>) in … }, transform: { (state, event: Int, _) in … }`.
    ///
    /// For an `apply` that changes the state in place, children, middleware or ``LoopOptions``, use a ``Reducer`` with a ``Store``.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`, usually a struct of closures.
    ///   - feedback: Called once, during this call, with the stream of states. Each subscriber of that stream receives the
    ///     current state first, then each change. Returns the stream of events.
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is rejected: the state is unchanged, and
    ///     the loop continues.
    ///   - apply: Folds an effect into the state. Must be pure: its result depends only on its arguments, and it has no side
    ///     effects.
    ///   - isolation: The actor that the loop is started and runs on. Leave the default.
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable @_disfavoredOverload
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        Loop(initialState, environment, Reducer(transform, returning: apply), home: isolation).start { [feedback($0)] }
    }

    /// Runs a loop with several streams of events.
    ///
    /// See the form with one stream for the guarantees and the parameters.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        isolation: isolated (any Actor)? = #isolation
    ) -> AnyCancellable {
        Loop(initialState, environment, Reducer(transform, returning: apply), home: isolation).start(feedback)
    }

    /// Runs a loop and returns its stream of states, for a feature that produces a result.
    ///
    /// ```swift
    /// let choice = Moonlight.start(…, store: { $0.store(in: &subscriptions) })
    ///     .compactMap(\.result)
    ///     .first()
    /// ```
    /// If the feedback sends events while it is bound, they are handled before this returns. The stream then begins with the state
    /// after them; ``Reducer/run(initialState:environment:feedback:result:)`` misses no result.
    ///
    /// See the form without `store` for the guarantees.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - feedback: Called once, with the stream of states. Returns the stream of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject it.
    ///   - apply: Folds an effect into the state. Must be pure.
    ///   - store: Receives the cancellable that keeps the loop running; it cancels the loop when released.
    ///   - isolation: The actor that the loop is started and runs on. Leave the default.
    /// - Returns: The stream of states. Each subscriber receives the current state first, then each change.
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
        let loop = Loop(initialState, environment, Reducer(transform, returning: apply), home: isolation)
        return loop.start(store: store) { [feedback($0)] }
    }
}

// The same forms for a Sendable environment, which does not tie the loop to an actor. Whether a type is Sendable is known only at
// compile time, so each form exists twice.
extension Moonlight {
    /// Runs a loop whose environment may be used from any thread, until it is cancelled or ends by itself.
    ///
    /// The loop runs on the threads that events and effects arrive on, even if it was started on an actor. See the form for any
    /// environment for the guarantees and the parameters.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable @_disfavoredOverload
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State
    ) -> AnyCancellable {
        Loop(initialState, environment, Reducer(transform, returning: apply), home: nil).start { [feedback($0)] }
    }

    /// Runs a loop with several streams of events, whose environment may be used from any thread.
    ///
    /// See the forms for any environment for the guarantees.
    ///
    /// - Returns: A cancellable that keeps the loop running; it cancels the loop when released.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>],
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State
    ) -> AnyCancellable {
        Loop(initialState, environment, Reducer(transform, returning: apply), home: nil).start(feedback)
    }

    /// Runs a loop whose environment may be used from any thread, and returns its stream of states.
    ///
    /// See the forms for any environment for the guarantees.
    ///
    /// - Parameters:
    ///   - initialState: The state before any effect.
    ///   - environment: The dependencies of `transform`.
    ///   - feedback: Called once, with the stream of states. Returns the stream of events.
    ///   - transform: Turns an event into a stream of effects, or throws to reject it.
    ///   - apply: Folds an effect into the state. Must be pure.
    ///   - store: Receives the cancellable that keeps the loop running; it cancels the loop when released.
    /// - Returns: The stream of states. Each subscriber receives the current state first, then each change.
    @inlinable
    public static func start<State: Equatable, Event, Effect, Environment: Sendable>(
        initialState: State,
        environment: Environment,
        feedback: (AnyPublisher<State, Never>) -> AnyPublisher<Event, Never>,
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) -> State,
        store: (AnyCancellable) -> Void
    ) -> AnyPublisher<State, Never> {
        let loop = Loop(initialState, environment, Reducer(transform, returning: apply), home: nil)
        return loop.start(store: store) { [feedback($0)] }
    }
}

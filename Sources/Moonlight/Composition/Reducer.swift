import Streams

/// A `transform` and an `apply` as one value, from which larger reducers are composed.
///
/// ```swift
/// let counter = Reducer<Counter, CounterEvent, CounterEffect, CounterEnvironment>(
///     transform: { state, event, environment in … },
///     apply: { state, effect in … })
///
/// let app = Reducer<App, AppEvent, AppEffect, AppEnvironment>(transform: …, apply: …)
///     .combined(with: counter.scoped(to: \.counter, event: …, effect: …, environment: \.counter))
///
/// let store = Store(reducer: app, initialState: App(), environment: .live)
/// ```
/// A reducer does nothing by itself: start it with a ``Store``, or call ``transform(_:_:_:)`` and
/// ``apply(_:to:)`` in a test. The same reducer may be started many times, and used as a child in many places.
public struct Reducer<State: Equatable, Event, Effect, Environment>: @unchecked Sendable {
    // Sound: consists of the user's Sendable closures and key paths, and of closures around them. The latter also capture
    // conformances of their generic types, and the compiler cannot prove that these are not isolated to an actor.

    @usableFromInline typealias Transform = @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>

    /// The internal form of `transform`, which accesses the state in place. During the call it may move the state out.
    ///
    /// `isFirst` says whether its effects will be the first that are applied for the event. If not, effects of other reducers are
    /// applied before them and may remove a child; so the effects of a child are then tied to its scope, even if they are ready.
    @usableFromInline typealias Decide =
        (UnsafeMutablePointer<State>, Event, Environment, _ isFirst: Bool) throws -> Effects<Effect>

    /// Returns the `decide` of a loop, or of a caller that has no loop (nil). Once the loop is cancelled, it calls no further
    /// user code.
    @usableFromInline typealias Bind = (_ loop: LoopContext?) -> Decide

    @usableFromInline let bind: Bind
    /// The `bind` of each reducer that this one combines, in order; nil if it combines none. The list is flat, so that a reducer of
    /// thousands needs no more stack than one of two.
    @usableFromInline let members: [Bind]?
    /// The parts that fold effects into the state. All of them fold every effect, in this order.
    @usableFromInline let parts: [Part]
    /// Folds an effect into the state, in place, with all parts.
    @usableFromInline let fold: Part.Fold

    @inlinable
    init(bind: @escaping Bind, parts: [Part], members: [Bind]? = nil) {
        self.bind = bind
        self.members = members
        self.parts = parts
        fold = Self.fold(parts)
    }

    @inlinable
    init(decide: @escaping Decide, parts: [Part]) { self.init(bind: { _ in decide }, parts: parts) }

    /// Creates a reducer whose `apply` changes the state in place.
    ///
    /// - Parameters:
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is rejected.
    ///   - apply: Folds an effect into the state. Must be pure. If it throws, the effect is rejected and the state is unchanged.
    ///     For an `apply` that cannot throw, a combined reducer keeps no copy of the state to restore.
    @inlinable
    public init<Failure: Error>(
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) throws(Failure) -> Void
    ) {
        self.init(transform, fold: Self.folding(inPlace: apply), mayThrow: Failure.self != Never.self)
    }

    /// Creates a reducer whose `apply` returns the next state.
    ///
    /// - Parameters:
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is rejected.
    ///   - apply: Returns the state after an effect. Must be pure. If it throws, the effect is rejected and the state is
    ///     unchanged.
    @inlinable
    public init<Failure: Error>(
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (State, Effect) throws(Failure) -> State
    ) {
        self.init(transform, fold: Self.folding(returning: apply), mayThrow: Failure.self != Never.self)
    }

    @inlinable
    init(_ transform: @escaping Transform, fold: @escaping Part.Fold, mayThrow: Bool) {
        self.init(
            decide: Self.deciding(transform), parts: [Part(mayThrow: mayThrow, fold: fold, prune: nil)])
    }

    /// Creates a reducer that does nothing: the neutral element of ``combined(with:)``.
    public init() { self.init(decide: { _, _, _, _ in .none }, parts: []) }

    /// Returns the effects of an event, as one stream. No work starts until the stream is subscribed to.
    ///
    /// - Parameters:
    ///   - state: The state before the event.
    ///   - event: The event.
    ///   - environment: The dependencies of the reducer.
    /// - Returns: The effects of this reducer and its children.
    /// - Throws: The reason why the event is rejected; a ``Rejection`` if it is for an absent child.
    public func transform(
        _ state: State, _ event: Event, _ environment: Environment
    ) throws -> AnyPublisher<Effect, Never> {
        try transformAlone()(state, event, environment)
    }

    /// Returns ``transform(_:_:_:)`` as a closure, for many calls.
    @inlinable
    package func transformAlone() -> (State, Event, Environment) throws -> AnyPublisher<Effect, Never> {
        let decide = bind(nil)
        return { state, event, environment in
            var state = state
            return try withUnsafeMutablePointer(to: &state) { try decide($0, event, environment, true) }.publisher
        }
    }

    /// Folds an effect into the state.
    ///
    /// - Parameters:
    ///   - effect: The effect.
    ///   - state: The state to change.
    /// - Returns: The events that follow from the effect: the results of children that it has completed. A loop puts them into
    ///   its mailbox.
    /// - Throws: The error that an `apply` throws. The state is then unchanged.
    @discardableResult
    public func apply(_ effect: Effect, to state: inout State) throws -> [Event] {
        var folding = Folding<Event>()
        _ = try withUnsafeMutablePointer(to: &state) { try fold($0, effect, &folding) }
        return folding.takeEvents()
    }
}

import Streams

/// `transform` and `apply` as one value, which composes: an app is made of reducers as a page is made of paragraphs.
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
/// A reducer does nothing by itself: start it with `Moonlight.start` or a ``Store``, or call ``transform(_:_:_:)`` and
/// ``apply(_:to:)`` in a test. It may be started many times, and used in many places.
public struct Reducer<State: Equatable, Event, Effect, Environment>: @unchecked Sendable {
    // Sound: made of the user's Sendable closures and key paths, and of closures around those; these also know the
    // conformances of their types, of which the compiler cannot tell that they are not bound to an actor.

    /// What `transform` is: turns an event into a stream of effects, or throws to refuse it.
    public typealias Transform = @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>

    /// `transform`, which gets at the state where it lies, and may take it out while it looks at it.
    ///
    /// It is told whether it answers first. If not, effects of others will be applied before its own, and by then a child may
    /// have left: so what a child answers is then said to be in its scope, even if it lies ready.
    @usableFromInline typealias Decide =
        (UnsafeMutablePointer<State>, Event, Environment, _ isFirst: Bool) throws -> Effects<Effect>

    /// Makes `decide` for a loop, or for who asks without one: it calls nothing more of the user's when the loop is cancelled.
    @usableFromInline typealias Bind = (_ loop: LoopCancellation?) -> Decide

    @usableFromInline let bind: Bind
    /// Who folds effects into the state: each does, in this order.
    @usableFromInline let parts: [Part]
    /// Folds an effect into the state, in place: what all parts do.
    @usableFromInline let fold: Part.Fold

    @inlinable
    init(bind: @escaping Bind, parts: [Part]) {
        (self.bind, self.parts, fold) = (bind, parts, Self.fold(parts))
    }

    @inlinable
    init(decide: @escaping Decide, parts: [Part]) { self.init(bind: { _ in decide }, parts: parts) }

    /// A reducer whose `apply` changes the state in place.
    ///
    /// - Parameters:
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is refused.
    ///   - apply: Folds an effect into the state. Pure. If it throws, the effect is refused and the state stays as it is; an
    ///     `apply` that cannot throw spares its reducer the means to go back.
    @inlinable
    public init<Failure: Error>(
        transform: @escaping Transform,
        apply: @escaping @Sendable (inout State, Effect) throws(Failure) -> Void
    ) {
        self.init(transform, fold: Self.folding(inPlace: apply), mayThrow: Failure.self != Never.self)
    }

    /// A reducer whose `apply` returns the next state.
    ///
    /// - Parameters:
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is refused.
    ///   - apply: The state after an effect. Pure. If it throws, the effect is refused and the state stays as it is.
    @inlinable
    public init<Failure: Error>(
        transform: @escaping Transform,
        apply: @escaping @Sendable (State, Effect) throws(Failure) -> State
    ) {
        self.init(transform, fold: Self.folding(returning: apply), mayThrow: Failure.self != Never.self)
    }

    @inlinable
    init(_ transform: @escaping Transform, fold: @escaping Part.Fold, mayThrow: Bool) {
        self.init(
            decide: Self.deciding(transform), parts: [Part(region: .everything, mayThrow: mayThrow, fold: fold, prune: nil)])
    }

    /// A reducer that does nothing: combined with it, any other is as it was.
    public init() { self.init(decide: { _, _, _, _ in .none }, parts: []) }

    /// The effects that an event leads to. Nothing happens until they are subscribed to.
    ///
    /// - Throws: Why the event is refused, a ``Rejection`` if it is for a child that is not there.
    public func transform(
        _ state: State, _ event: Event, _ environment: Environment
    ) throws -> AnyPublisher<Effect, Never> {
        var state = state
        return try withUnsafeMutablePointer(to: &state) { try bind(nil)($0, event, environment, true) }.publisher
    }

    /// Folds an effect into the state.
    ///
    /// - Returns: The events that follow: the results of children that have come to theirs. A loop puts them into its mailbox.
    /// - Throws: What an `apply` throws: then the state is as it was.
    @discardableResult
    public func apply(_ effect: Effect, to state: inout State) throws -> [Event] {
        var folding = Folding<Event>()
        _ = try withUnsafeMutablePointer(to: &state) { try fold($0, effect, &folding) }
        return folding.takeEvents()
    }
}

/// What an effect has done to a state.
@usableFromInline
enum Change {
    case none
    case certain
    /// One has, and the state after it is already the current one.
    case committed
    /// Several have changed it, perhaps back to what it was.
    case possible
}

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

    /// The internal form of `transform`, which accesses the state in place.
    ///
    /// If `isFirst` is true, its effects are the first to be applied for the event. If not, effects of other reducers are applied
    /// before them and may remove a child; so the effects of a child are then tied to its scope, even if they are ready.
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
    @usableFromInline let fold: Fold

    @inlinable
    init(bind: @escaping Bind, parts: [Part], members: [Bind]? = nil) {
        self.bind = bind
        self.members = members
        self.parts = parts
        fold = Self.fold(parts)
    }

    /// Creates a reducer.
    ///
    /// - Parameters:
    ///   - transform: Turns an event into a stream of effects. If it throws, the event is rejected.
    ///   - apply: Folds an effect into the state, in place. Must be pure. If it throws, the effect is rejected and the state is
    ///     unchanged. For an `apply` that cannot throw, a combined reducer keeps no copy of the state to restore.
    @inlinable
    public init<Failure: Error>(
        transform: @escaping @Sendable (State, Event, Environment) throws -> AnyPublisher<Effect, Never>,
        apply: @escaping @Sendable (inout State, Effect) throws(Failure) -> Void
    ) {
        self.init(transform, fold: Self.folding(inPlace: apply), mayThrow: Failure.self != Never.self)
    }

    /// Creates a reducer whose `apply` returns the next state.
    @inlinable
    init(_ transform: @escaping Transform, returning apply: @escaping @Sendable (State, Effect) -> State) {
        self.init(transform, fold: Self.folding(returning: apply), mayThrow: false)
    }

    @inlinable
    init(_ transform: @escaping Transform, fold: @escaping Fold, mayThrow: Bool) {
        let decide = Self.deciding(transform)
        self.init(bind: { _ in decide }, mayThrow: mayThrow, fold: fold, prune: nil)
    }

    @inlinable
    init(bind: @escaping Bind, mayThrow: Bool, fold: @escaping Fold, prune: Prune?) {
        self.init(bind: bind, parts: [(mayThrow, fold, prune)])
    }

    /// Creates a reducer that does nothing: the neutral element of ``combined(with:)``.
    public init() { self.init(bind: { _ in { _, _, _, _ in .none } }, parts: []) }

    /// Returns the effects of an event, as one stream. No work starts until the stream is subscribed to.
    ///
    /// - Parameters:
    ///   - state: The state before the event.
    ///   - event: The event.
    ///   - environment: The dependencies of the reducer.
    /// - Returns: The effects of this reducer and its children.
    /// - Throws: The reason why the event is rejected; a ``/LoopValues/Rejection`` if it is for an absent child.
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

extension Reducer {
    /// Folds an effect into the state, in place.
    @usableFromInline typealias Fold = (UnsafeMutablePointer<State>, Effect, inout Folding<Event>) throws -> Change
    /// Finds the children that have been removed from the state, and records the removals in the tree of scopes. If the state equals
    /// the one before, no child is absent, and only those that a list has replaced are sought.
    @usableFromInline typealias Prune = (UnsafeMutablePointer<State>, ScopeNode, _ isEqual: Bool) -> Void

    /// An `apply` of a reducer, or that of a child. `mayThrow` is false if `fold` never throws; `prune` is nil if the part has no
    /// children that may be removed.
    @usableFromInline typealias Part = (mayThrow: Bool, fold: Fold, prune: Prune?)

    @inlinable var mayThrow: Bool { parts.contains(where: \.mayThrow) }

    /// Returns a function that folds an effect with all parts, one after the other.
    @inlinable
    static func fold(_ parts: [Part]) -> Fold {
        if parts.count == 1 { return parts[0].fold }
        let goesBack = parts.dropFirst().contains(where: \.mayThrow)
        return { state, effect, folding in
            // A part that throws has not changed the state, but the parts before it may have.
            let before = goesBack ? state.pointee : nil
            let eventsBefore = folding.events
            var (last, isSeveral, isReplaced) = (-1, false, false)
            var change = Change.none
            do {
                for index in parts.indices {
                    let itsChange = try parts[index].fold(state, effect, &folding)
                    if itsChange == .none { continue }
                    if itsChange == .equal {
                        isReplaced = true
                        continue
                    }
                    isSeveral = last >= 0
                    change = isSeveral ? .possible : itsChange
                    last = index
                }
            } catch {
                if let before { state.pointee = before }
                folding.events = eventsBefore
                throw error
            }
            if change == .none, isReplaced { change = .equal }
            guard let node = folding.node, change != .none else { return change }
            for index in parts.indices {
                // If only one part has changed the state, its own children need no pruning: `fold` records the removal of a child by
                // its own effect.
                let isEqual = change == .equal || !isSeveral && index == last
                if isReplaced || !isEqual { parts[index].prune?(state, node, isEqual) }
            }
            return change
        }
    }

    /// Prunes the children of all parts.
    @inlinable
    func prune(_ state: UnsafeMutablePointer<State>, _ node: ScopeNode, isEqual: Bool) {
        for part in parts { part.prune?(state, node, isEqual) }
    }
}

/// The context that the loop passes to the parts of a reducer with an effect, and the events that they return.
@usableFromInline
struct Folding<Event> {
    /// The events that follow from the effect, in order. Nil rather than empty, to avoid the cost of an array.
    @usableFromInline var events: [Event]?
    /// The node of the state in the tree of scopes; nil if no stream is live there.
    @usableFromInline var node: ScopeNode?
    /// True if a stream of any child of the loop is live.
    @usableFromInline var isAnyChildLive: Bool

    @inlinable
    init(node: ScopeNode? = nil, isAnyChildLive: Bool = false) {
        self.node = node
        self.isAnyChildLive = isAnyChildLive
    }

    /// The number of the last insertion or removal in any list; nil if none of them matters, because no stream of a child is live.
    @inlinable var listStep: UInt64? { isAnyChildLive ? lastMembershipStep : nil }

    @inlinable
    mutating func follow(_ event: Event) { events = (events ?? []) + [event] }

    /// Adds the events that follow from the effect in a child.
    @inlinable
    mutating func follow<Child>(_ child: Folding<Child>, _ embed: (Child) -> Event) {
        if let others = child.events { events = (events ?? []) + others.map(embed) }
    }

    /// Removes and returns the events.
    @usableFromInline
    mutating func takeEvents() -> [Event] {
        defer { events = nil }
        return events ?? []
    }
}

/// The kind of change that an effect made to a state.
@usableFromInline
enum Change {
    /// No part has changed it.
    case none
    /// One part has changed it, and the new state differs from the old one.
    case certain
    /// Several parts or a setter have changed it, perhaps back to the old state.
    case possible
    /// It was replaced by an equal state, in which a list may have replaced a child by an equal one.
    case equal
}

// Calls of the user's `transform` and `apply`.
//
// Specialized code copies a large value for each call that it is passed to. Unspecialized code passes only its address, but
// spends some 250 ns per event on looking up types.
extension Reducer {
    /// Indicates that the state is too large to copy, by the same limit as in the subject of states.
    @inlinable @inline(__always)
    static var isStateLarge: Bool { isLarge(State.self) }

    @inlinable
    static func deciding(_ transform: @escaping Transform) -> Decide {
        { state, event, environment, _ in
            if isStateLarge { return Effects(try decideWithoutCopy(state, event, environment, transform)) }
            return Effects(try transform(state.pointee, event, environment))
        }
    }

    @inlinable
    static func folding<Failure: Error>(
        returning apply: @escaping (State, Effect) throws(Failure) -> State
    ) -> Fold {
        { state, effect, folding in
            if isStateLarge { return try foldWithFewCopies(state, effect, &folding, apply) }
            let listStep = folding.listStep
            let next = try apply(state.pointee, effect)
            let isEqual = next == state.pointee
            // An equal state is stored only if a list in it may have replaced a child by an equal one.
            if isEqual, listStep == folding.listStep { return .none }
            state.pointee = next
            return isEqual ? .equal : .certain
        }
    }

    @inlinable
    static func folding<Failure: Error>(
        inPlace apply: @escaping (inout State, Effect) throws(Failure) -> Void
    ) -> Fold {
        // `apply` works on a copy, so that the old state is kept if the new one is equal: an equal state may consist of other
        // objects, and an effect that changes nothing must not release the old ones.
        folding(returning: { state, effect throws(Failure) in
            var next = state
            try apply(&next, effect)
            return next
        })
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func decideWithoutCopy(
        _ state: UnsafeMutablePointer<State>, _ event: Event, _ environment: Environment, _ transform: Transform
    ) throws -> AnyPublisher<Effect, Never> {
        try lend(state) { try transform($0, event, environment) }
    }

    @usableFromInline @_semantics("optimize.sil.specialize.generic.never")
    static func foldWithFewCopies<Failure: Error>(
        _ state: UnsafeMutablePointer<State>, _ effect: Effect, _ folding: inout Folding<Event>,
        _ apply: (State, Effect) throws(Failure) -> State
    ) throws -> Change {
        let listStep = folding.listStep
        let next = try lend(state) { try apply($0, effect) }
        let isEqual = lend(state) { $0 == next }
        if isEqual, listStep == folding.listStep { return .none }
        state.pointee = next
        return isEqual ? .equal : .certain
    }
}

/// Calls `body` with a value in place, borrowed instead of copied. The value must not be changed during the call.
func lend<Value: ~Copyable, Result>(
    _ value: UnsafePointer<Value>, to body: (borrowing Value) throws -> Result
) rethrows -> Result { try body(value.pointee) }

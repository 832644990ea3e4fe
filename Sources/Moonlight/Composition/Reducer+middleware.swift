extension Reducer {
    /// The rest of the reducer, which a middleware wraps. It may be called with another event, more than once, or not at all.
    public typealias Next = @Sendable (State, Event, Environment) throws -> Effects<Effect>

    /// Wraps `transform` in a function that may observe, change, drop or add events and effects.
    ///
    /// ```swift
    /// app.middleware { state, event, environment, next in
    ///     environment.log(event)
    ///     return try next(state, event, environment)
    /// }
    /// ```
    /// The function decides whether and in which form the event reaches the rest of the reducer, and what happens to the
    /// effects. If it does not call `next`, the event is dropped; if it throws, the event is rejected. It may change the
    /// effects that `next` returns (see ``Effects``), and put its own effects before or after them:
    ///
    /// ```swift
    /// app.middleware { state, event, environment, next in
    ///     .just(.eventCounted).combined(with: try next(state, event, environment))
    /// }
    /// ```
    /// If an effect that comes first removes a child, the effects that this child returned are dropped. Once the loop has been
    /// cancelled, `next` calls nothing and returns no effects. The middleware that is added last is the outermost: it receives an
    /// event first. A middleware wraps this reducer with all its children.
    ///
    /// - Parameter around: Receives the state, the event, the environment and the rest of the reducer; returns the effects.
    @inlinable
    public func middleware(
        _ around: @escaping @Sendable (State, Event, Environment, Next) throws -> Effects<Effect>
    ) -> Reducer {
        Reducer(
            bind: { [bind] loop in
                let decide = bind(loop)
                let next: Next = sendable { state, event, environment in
                    if loop?.isCancelled == true { return .none }
                    var state = state
                    return try withUnsafeMutablePointer(to: &state) { try decide($0, event, environment, false) }
                }
                return { state, event, environment, _ in try around(state.pointee, event, environment, next) }
            }, parts: parts)
    }

    /// Returns a reducer that passes the events that follow from an effect to a function, before a loop handles them.
    ///
    /// - Parameter filter: Returns the events that the loop is to handle.
    @inlinable
    package func filteringFollowUps(_ filter: @escaping ([Event]) -> [Event]) -> Reducer {
        let part: Part = (
            mayThrow: mayThrow,
            fold: { [fold] state, effect, folding in
                let change = try fold(state, effect, &folding)
                if folding.events != nil {
                    let events = filter(folding.takeEvents())
                    folding.events = events.isEmpty ? nil : events
                }
                return change
            }, prune: { prune($0, $1, isEqual: $2) }
        )
        return Reducer(bind: bind, parts: [part])
    }
}

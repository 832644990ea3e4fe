extension Reducer {
    /// What a middleware is around: the rest of the reducer. It may be called with another event, more than once, or not at all.
    public typealias Next = @Sendable (State, Event, Environment) throws -> Effects<Effect>

    /// Puts a function around `transform`, which may observe, change, drop or add.
    ///
    /// ```swift
    /// app.middleware { state, event, environment, next in
    ///     environment.log(event)
    ///     return try next(state, event, environment)
    /// }
    /// ```
    /// It decides whether the event goes on, as what, and what becomes of the effects: not to call `next` drops the event, to throw
    /// refuses it. It may change what `next` returns, see ``Effects``, and put effects of its own before or after it:
    ///
    /// ```swift
    /// app.middleware { state, event, environment, next in
    ///     .just(.eventCounted).combined(with: try next(state, event, environment))
    /// }
    /// ```
    /// If a child leaves by an effect that comes first, what that child has answered goes with it. Once the loop has been
    /// cancelled, `next` calls nothing and returns no effects. The middleware added last is the outermost: it sees an event first.
    /// What it wraps is this reducer with all its children.
    ///
    /// - Parameter around: Gets the state, the event, the environment, and what it is around.
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
}

import Streams

extension Reducer {
    /// Puts a function around `transform`, which may observe, change, drop or add.
    ///
    /// ```swift
    /// app.middleware { state, event, environment, next in
    ///     environment.log(event)
    ///     return try next(state, event, environment)
    /// }
    /// ```
    /// It decides whether the event goes on, as what, and what becomes of the effects: not to call `next` drops the event, to
    /// throw refuses it. The middleware added last is the outermost: it sees an event first. What it wraps is this reducer
    /// with all its children.
    ///
    /// - Parameter around: Gets the state, the event, the environment, and what it is around.
    public func middleware(
        _ around: @escaping @Sendable (State, Event, Environment, Transform) throws -> AnyPublisher<Effect, Never>
    ) -> Reducer {
        let next: Transform = sendable(transform)
        return Reducer(decide: { try around($0.pointee, $1, $2, next) }, parts: parts)
    }
}

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
        let nextOfSeveral: Transform = sendable { [decide] state, event, environment in
            try withUnsafePointer(to: state) { try decide($0, event, environment, false) }
        }
        return Reducer(
            decide: { state, event, environment, isFirst in
                try around(state.pointee, event, environment, isFirst ? next : nextOfSeveral)
            }, parts: parts)
    }
}

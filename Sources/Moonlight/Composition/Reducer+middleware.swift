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
    /// throw refuses it. If a child leaves by an effect that it puts before what `next` returns, what that child has answered
    /// goes with it. The middleware added last is the outermost: it sees an event first. What it wraps is this reducer
    /// with all its children.
    ///
    /// - Parameter around: Gets the state, the event, the environment, and what it is around.
    @inlinable
    public func middleware(
        _ around: @escaping @Sendable (State, Event, Environment, Transform) throws -> AnyPublisher<Effect, Never>
    ) -> Reducer {
        if !parts.contains(where: { $0.prune != nil }) {
            // Nobody is there who might leave.
            let next: Transform = sendable(transform)
            return Reducer(
                decide: { state, event, environment, _ in try around(state.pointee, event, environment, next) }, parts: parts)
        }
        return Reducer(
            decide: { [decide] state, event, environment, isFirst in
                let answers = NextAnswers<Effect>()
                let next: Transform = sendable { state, event, environment in
                    answers.add(try withUnsafePointer(to: state) { try decide($0, event, environment, false) })
                }
                return answers.bind(try around(state.pointee, event, environment, next), isFirst: isFirst)
            }, parts: parts)
    }
}

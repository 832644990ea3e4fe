import Streams

extension Reducer {
    /// Returns a reducer that runs this reducer and then another on the same state.
    ///
    /// Both handle every event, with the state as it was before the event; the effects of the first come before those of the
    /// second. If either rejects the event, it is rejected as a whole and has no effects. Both fold every effect, the first
    /// before the second. The operation is associative.
    ///
    /// - Parameter other: The reducer that runs second.
    @inlinable
    public func combined(with other: Reducer) -> Reducer {
        Reducer(
            bind: { [bind] loop in
                let (first, second) = (bind(loop), other.bind(loop))
                return { state, event, environment, isFirst in
                    let effects = try first(state, event, environment, isFirst)
                    if loop?.isCancelled == true { return effects }
                    return effects.combined(with: try second(state, event, environment, isFirst && effects.isNone))
                }
            },
            parts: parts + other.parts)
    }

    /// Returns a reducer that runs several reducers on the same state, one after the other: see ``combined(with:)``.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer { combine(reducers) }

    /// Returns a reducer that runs several reducers on the same state, one after the other: see ``combined(with:)``.
    public static func combine(_ reducers: [Reducer]) -> Reducer {
        guard let first = reducers.first else { return Reducer() }
        return reducers.dropFirst().reduce(first) { $0.combined(with: $1) }
    }
}

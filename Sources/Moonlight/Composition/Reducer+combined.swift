import Streams

extension Reducer {
    /// This reducer and then another, over the same state.
    ///
    /// Both see every event, with the state as it was before it; effects of the first come before those of the second. If
    /// either refuses an event, it is refused, and nothing happens. Both fold every effect, the first before the second.
    /// It does not matter how several are grouped.
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

    /// Several reducers over the same state, one after the other: see ``combined(with:)``.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer { combine(reducers) }

    /// Several reducers over the same state, one after the other: see ``combined(with:)``.
    public static func combine(_ reducers: [Reducer]) -> Reducer {
        guard let first = reducers.first else { return Reducer() }
        return reducers.dropFirst().reduce(first) { $0.combined(with: $1) }
    }
}

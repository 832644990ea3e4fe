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
        let members = (members ?? [bind]) + (other.members ?? [other.bind])
        return Reducer(bind: Self.binding(members), parts: parts + other.parts, members: members)
    }

    /// Returns a `bind` that calls several, one after the other.
    @inlinable
    static func binding(_ members: [Bind]) -> Bind {
        { loop in
            let decisions = members.map { $0(loop) }
            return { state, event, environment, isFirst in
                var effects = Effects<Effect>.none
                for (index, decide) in decisions.enumerated() {
                    if index > 0, loop?.isCancelled == true { return effects }
                    effects = effects.combined(with: try decide(state, event, environment, isFirst && effects.isNone))
                }
                return effects
            }
        }
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

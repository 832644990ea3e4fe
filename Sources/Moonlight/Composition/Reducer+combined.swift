import Streams

extension Reducer {
    /// Returns a reducer that runs this reducer and then another on the same state.
    ///
    /// Both handle every event, with the state as it was before the event; the effects of the first come before those of the
    /// second. If either rejects the event, it is rejected as a whole and has no effects. Both fold every effect, the first
    /// before the second. The operation is associative.
    ///
    /// - Parameter other: The reducer that runs second.
    /// - Complexity: Linear in the number of reducers that both combine. To combine many, pass them to `combine` at once.
    @inlinable
    public func combined(with other: Reducer) -> Reducer { Self.combine([self, other]) }

    /// Returns a `bind` that calls several, one after the other.
    @inlinable
    static func binding(_ members: [Bind]) -> Bind {
        { loop in
            let decisions = members.map { $0(loop) }
            return { state, event, environment, isFirst in
                var first = Effects<Effect>.none
                // All streams, if there is more than one.
                var streams: [Effects<Effect>.Stream] = []
                for (index, decide) in decisions.enumerated() {
                    if index > 0, loop?.isCancelled == true { break }
                    let effects = try decide(state, event, environment, isFirst && first.isNone)
                    if effects.isNone { continue }
                    if first.isNone {
                        first = effects
                    } else {
                        if streams.isEmpty { streams = first.streams }
                        streams += effects.streams
                    }
                }
                return streams.isEmpty ? first : Effects(streams)
            }
        }
    }

    /// Returns a reducer that runs several reducers on the same state, one after the other: see ``combined(with:)``.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer { combine(reducers) }

    /// Returns a reducer that runs several reducers on the same state, one after the other: see ``combined(with:)``.
    ///
    /// - Complexity: Linear in the number of reducers. Each effect is offered to each of them.
    @inlinable
    public static func combine(_ reducers: [Reducer]) -> Reducer {
        if reducers.count == 1 { return reducers[0] }
        let members = reducers.flatMap { $0.members ?? [$0.bind] }
        return Reducer(bind: binding(members), parts: reducers.flatMap(\.parts), members: members)
    }
}

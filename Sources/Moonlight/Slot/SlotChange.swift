/// What has happened to a feature between two states.
public enum SlotChange<State: Equatable> {
    /// It has come into being.
    case initialized(State)
    /// It has stayed in its state, and that carries something else.
    case actualized(from: State, to: State)
    /// It has gone to another state, or entered the same anew.
    case transitioned(from: State, to: State)
    /// It has ended, in this state.
    case deinitialized(State)

    /// What has happened from one slot to the next: nothing, one thing, or an end and a new beginning.
    ///
    /// Only the two slots are compared, not what lay between them: a feature that went to another state and back is as it was.
    ///
    /// - Parameters:
    ///   - before: The feature before; nil if there was no before, as at the start of a loop.
    ///   - after: The feature after.
    public static func between(_ before: Slot<State>?, _ after: Slot<State>) -> [SlotChange] {
        switch (before?.stored, after.stored) {
        case (nil, nil): return []
        case (nil, let new?): return [.initialized(new)]
        case (let old?, nil): return [.deinitialized(old)]
        case (let old?, let new?):
            if before?.endings != after.endings { return [.deinitialized(old), .initialized(new)] }
            if before?.entries != after.entries { return [.transitioned(from: old, to: new)] }
            if old == new { return [] }
            return Slot<State>.isSameCase(old, new) ? [.actualized(from: old, to: new)] : [.transitioned(from: old, to: new)]
        }
    }
}

extension SlotChange: Equatable {}
extension SlotChange: Sendable where State: Sendable {}

/// A change of a feature between two states of the loop.
enum SlotChange<State: Equatable> {
    /// The feature was initialized, in this state.
    case initialized(State)
    /// The feature remained in its state, whose associated value changed.
    case actualized(from: State, to: State)
    /// The feature changed to another state, or reentered the same.
    case transitioned(from: State, to: State)
    /// The feature ended; this was its last state.
    case deinitialized(State)

    /// Returns the changes from one slot to the next: none, one, or an end followed by a new initialization.
    ///
    /// Only the two slots are compared, not the steps between them: a feature that changed to another state and back may count as
    /// unchanged.
    ///
    /// - Parameters:
    ///   - before: The slot before; nil at the start of a loop.
    ///   - after: The slot after.
    /// - Returns: The changes, in order.
    static func between(_ before: Slot<State>?, _ after: Slot<State>) -> [SlotChange] {
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

extension Slot: ChangeReporting {
    /// Returns the verbs that lead from this slot to another one, with the states before and after each.
    package func changes(to after: Slot) -> [(verb: String, before: Any?, after: Any?)] {
        SlotChange.between(self, after).map { change in
            switch change {
            case .initialized(let new): ("initialized", nil, new)
            case .actualized(let old, let new): ("actualized", old, new)
            case .transitioned(let old, let new): ("transitioned", old, new)
            case .deinitialized(let old): ("deinitialized", old, nil)
            }
        }
    }
}

extension SlotChange: Equatable {}

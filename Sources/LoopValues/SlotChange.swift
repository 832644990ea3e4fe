import PlainText

/// A change of a feature between two states of the loop.
package struct SlotChange<State: Equatable>: Equatable {
    package let verb: SlotVerb
    /// The state before; nil if the feature was initialized.
    package var before: State?
    /// The state after; nil if the feature ended.
    package var after: State?

    /// Returns the changes from one slot to the next: none, one, or an end followed by a new initialization.
    ///
    /// Only the two slots are compared, not the steps between them: a feature that changed to another state and back may count as
    /// unchanged.
    ///
    /// - Parameters:
    ///   - before: The slot before; nil at the start of a loop.
    ///   - after: The slot after.
    /// - Returns: The changes, in order.
    package static func between(_ before: Slot<State>?, _ after: Slot<State>) -> [SlotChange] {
        let (end, beginning) = (
            before?.stored.map { SlotChange(verb: .deinitialized, before: $0) },
            after.stored.map { SlotChange(verb: .initialized, after: $0) }
        )
        guard let old = before?.stored, let new = after.stored, before?.endings == after.endings else {
            return [end, beginning].compactMap(\.self)
        }
        if before?.entries == after.entries {
            if old == new { return [] }
            if Slot.isSameCase(old, new) { return [SlotChange(verb: .actualized, before: old, after: new)] }
        }
        return [SlotChange(verb: .transitioned, before: old, after: new)]
    }
}

/// The verb that leads from one state of a feature to the next.
package enum SlotVerb: String {
    /// The feature was initialized.
    case initialized
    /// The feature remained in its state, whose associated value changed.
    case actualized
    /// The feature changed to another state, or reentered the same.
    case transitioned
    /// The feature ended.
    case deinitialized
}

extension Slot: ChangeReporting {
    /// Returns the verbs that lead from this slot to another one, with the states before and after each.
    package func changes(to after: Slot) -> [(verb: String, before: Any?, after: Any?)] {
        SlotChange.between(self, after).map { ($0.verb.rawValue, $0.before, $0.after) }
    }
}

import Moonlight

/// The damage of a fleet's log, and the members that it affects.
struct FleetDamage: Sendable {
    /// A damaged member.
    struct Member: Sendable {
        let error: DurabilityError
        /// The log before the damage; nil if there is none.
        let readable: FleetIndex.Slot?
    }

    /// The members, by their ids.
    private(set) var members: [ExactText: Member] = [:]
    /// The last damage whose members are unknown. A member whose newest frame is before its end may have lost frames.
    private(set) var unknown: (end: UInt64, error: DurabilityError)?

    /// The members in the byte order of their ids.
    var sortedMembers: [(id: String, member: Member)] {
        members.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    var isEmpty: Bool { members.isEmpty && unknown == nil }

    /// One of the errors.
    var first: DurabilityError? { unknown?.error ?? members.values.first?.error }

    /// Returns the reason why the log of a member cannot be read.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - newest: The position of its newest frame; nil if none was found.
    func error(of id: String, newest: UInt64?) -> DurabilityError? {
        if let member = members[ExactText(id)] { return member.error }
        guard let unknown, newest ?? 0 < unknown.end else { return nil }
        return unknown.error
    }

    mutating func add(_ id: String, _ error: DurabilityError, readable: FleetIndex.Slot?) {
        if members[ExactText(id)] == nil { members[ExactText(id)] = Member(error: error, readable: readable) }
    }

    /// Forgets the damage of a member that has a later base.
    mutating func remove(_ id: String) { members[ExactText(id)] = nil }

    mutating func addUnknown(to end: UInt64, _ error: DurabilityError) { unknown = (end, error) }
}

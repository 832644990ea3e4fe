import Moonlight

/// The parts of a fleet's logs that are not what was written, and the members that they concern.
struct FleetDamage: Sendable {
    /// A member whose log cannot be read to its end.
    struct Member: Sendable {
        let error: DurabilityError
        /// The part of its log before the damage; nil if there is none.
        let readable: FleetIndex.Slot?
    }

    /// The members, by their ids.
    private(set) var members: [ExactText: Member] = [:]
    /// The last damage of which it is not known whose frames it has had. A member whose newest frame is before its end may have lost some.
    private(set) var unknown: (end: UInt64, error: DurabilityError)?

    var isEmpty: Bool { members.isEmpty && unknown == nil }

    /// A damage, to name one.
    var first: DurabilityError? { unknown?.error ?? members.values.first?.error }

    /// Returns why the log of a member cannot be read.
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

    /// A later frame of the member needs none of those before it.
    mutating func remove(_ id: String) { members[ExactText(id)] = nil }

    mutating func addUnknown(to end: UInt64, _ error: DurabilityError) { unknown = (end, error) }
}

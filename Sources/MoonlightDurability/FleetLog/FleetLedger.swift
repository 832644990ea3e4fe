import Moonlight

/// The result of reading a fleet's frames in order: the index of members, their due times, and the damage.
struct FleetLedger {
    private(set) var index = FleetIndex()
    private(set) var dues: [ExactText: Int64] = [:]
    private(set) var damage = FleetDamage()
    /// The number of members whose base must have been before the first segment.
    private(set) var orphans = 0
    private(set) var segments: [LogSegment] = []

    /// Notes the next segment.
    mutating func add(_ segment: LogSegment) { segments.append(segment) }

    /// Notes the next frame, and returns the member's entry before it.
    @discardableResult
    mutating func add(_ header: LogFrame.Header, _ id: String) -> FleetIndex.Slot? {
        let before = index[MemberHash(id)]
        take(header, id, at: header.position, before)
        return before
    }

    /// Skips damage in a walk, and notes the affected members.
    mutating func skipDamage(_ walk: inout LogWalk, _ reason: String) throws -> FrameDamage? {
        guard let found = try walk.skipDamage(reason, { newestOwner(of: $0) }) else { return nil }
        for id in found.ids {
            let before = index[MemberHash(id)]
            if before?.base == FleetIndex.unknown, damage.members[ExactText(id)] == nil { orphans -= 1 }
            damage.add(id, found.error, readable: before)
        }
        if found.isOthers { loseOthers(to: found.end, found.error) }
        return found
    }

    private mutating func take(_ header: LogFrame.Header, _ id: String, at place: UInt64, _ before: FleetIndex.Slot?) {
        let key = MemberHash(id)
        let wasOrphan = before?.base == FleetIndex.unknown && damage.members[ExactText(id)] == nil
        dues[ExactText(id)] = header.due
        if header.isRemoval {
            index[key] = nil
            damage.remove(id)
            orphans -= wasOrphan ? 1 : 0
            return
        }
        var base = place
        if let previous = header.previous {
            base = before?.base ?? FleetIndex.unknown
            // Old frames of a moved chain may remain, while earlier ones were removed with their segments.
            let isFirst = before == nil && previous < segments[0].first
            if before?.newest != previous, !isFirst {
                let segment = segments.segment(of: previous) ?? segments[0]
                let reason = "the frame of \(id) before the one at \(place) is missing"
                damage.add(id, segment.damage(at: previous, reason), readable: before)
                base = FleetIndex.unknown
            }
        } else {
            damage.remove(id)
        }
        let isOrphan = base == FleetIndex.unknown && damage.members[ExactText(id)] == nil
        orphans += (isOrphan ? 1 : 0) - (wasOrphan ? 1 : 0)
        index[key] = FleetIndex.Slot(key, newest: place, base: base, last: header.last)
    }

    /// Notes damage whose members are unknown.
    mutating func loseOthers(to end: UInt64, _ error: DurabilityError) { damage.addUnknown(to: end, error) }

    /// Checks that no base was before the first segment.
    func checkOrphans() throws(DurabilityError) {
        guard orphans > 0, let first = segments.first?.first else { return }
        throw .missing(from: first, to: first, reason: "the oldest parts of the logs of \(orphans) members are missing")
    }

    /// Returns the id of the frame at a position, if it is its member's newest one so far.
    private func newestOwner(of position: UInt64) -> String? {
        guard let segment = segments.segment(of: position), var reader = try? FrameReader(segment, from: position),
            case .frame(_, let id)? = try? reader.next(), index[MemberHash(id)]?.newest == position
        else { return nil }
        return id
    }
}

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

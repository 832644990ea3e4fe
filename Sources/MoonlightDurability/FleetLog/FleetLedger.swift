import Moonlight

/// The result of reading a fleet's frames in order: the index of members, their due times, and the damage.
struct FleetLedger {
    private(set) var index = FleetIndex()
    private(set) var dues: [ExactText: Int64] = [:]
    private(set) var damage = FleetDamage()
    /// The number of members whose base must have been before the first segment.
    private(set) var orphans = 0
    /// The position up to which everything was synced, according to the frames.
    private(set) var synced: UInt64 = 0
    private(set) var segments: [LogSegment] = []
    /// The end of the last intact frame.
    private(set) var end: UInt64 = 0

    /// An item that was found in a segment.
    enum Find {
        /// A frame, with the member's entry before it.
        case frame(LogFrame.Header, id: String, at: UInt64, before: FleetIndex.Slot?)
        case damage(FrameDamage)
    }

    /// Reads the frames of the next segment, and skips damage.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - position: The first position to read; nil for the first frame.
    ///   - next: The first position of the segment after it; nil if it is the last one, whose end may be torn.
    ///   - find: Takes each item, in order.
    /// - Returns: The position at which the reading ended, and the torn end.
    mutating func read(
        _ segment: LogSegment, from position: UInt64? = nil, to next: UInt64?, _ find: (Find) throws -> Void = { _ in }
    ) throws -> (position: UInt64, tornEnd: TornEnd?) {
        segments.append(segment)
        end = segment.first
        var reader = try FrameReader(segment, from: position, to: next)
        while true {
            let place = reader.position
            switch try reader.next() {
            case .end: return (place, nil)
            case .frame(let header, let id):
                let before = index[MemberHash(id)]
                take(header, id, at: place, before)
                end = reader.position
                try find(.frame(header, id: id, at: place, before: before))
            case .bad(let reason):
                if next == nil, try !reader.isProvenDamaged() {
                    return (place, TornEnd(file: segment.name, offset: segment.offset(of: place), count: reader.rest))
                }
                let found = try reader.skipDamage(reason) { newestOwner(of: $0) }
                lose(found)
                end = reader.position
                try find(.damage(found))
            }
        }
    }

    private mutating func take(_ header: LogFrame.Header, _ id: String, at place: UInt64, _ before: FleetIndex.Slot?) {
        let key = MemberHash(id)
        let wasOrphan = before?.base == FleetIndex.unknown && damage.members[ExactText(id)] == nil
        dues[ExactText(id)] = header.due
        synced = max(synced, header.synced)
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

    /// Notes damaged frames.
    mutating func lose(_ found: FrameDamage) {
        for id in found.ids {
            let before = index[MemberHash(id)]
            if before?.base == FleetIndex.unknown, damage.members[ExactText(id)] == nil { orphans -= 1 }
            damage.add(id, found.error, readable: before)
        }
        if found.isOthers { loseOthers(to: found.end, found.error) }
    }

    /// Notes damage whose members are unknown.
    mutating func loseOthers(to end: UInt64, _ error: DurabilityError) { damage.addUnknown(to: end, error) }

    /// Returns the id of the frame at a position, if it is its member's newest one so far.
    private func newestOwner(of position: UInt64) -> String? {
        guard let segment = segments.segment(of: position), var reader = try? FrameReader(segment, from: position),
            case .frame(_, let id)? = try? reader.next(), index[MemberHash(id)]?.newest == position
        else { return nil }
        return id
    }
}

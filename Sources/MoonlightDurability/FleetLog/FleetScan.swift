/// The content of a fleet's folder when it is opened. A torn end is cut off, and the rest is synced.
struct FleetScan {
    private(set) var ledger = FleetLedger()
    private(set) var tornEnd: TornEnd?
    /// The segments, in order; the last one is open for writing.
    private(set) var segments: [FleetSegment] = []
    /// The end of the log.
    var end: UInt64 { ledger.end }

    init(_ folder: LogFolder) throws {
        try folder.tidy()
        let names = try folder.names()
        let firsts = FleetNames.segments(in: names)
        guard let last = firsts.last else {
            if !FolderNames.segments(in: names).isEmpty || !FolderNames.snapshots(in: names).isEmpty {
                throw DurabilityError.storage("\(folder.path) has the log of a store, not those of a fleet")
            }
            segments = [try folder.makeSegment(0, identity: UInt64.random(in: 1...UInt64.max))]
            return
        }
        for (first, next) in zip(firsts, firsts.dropFirst()) {
            let position = try read(folder.openSegment(first, .reading), to: next).position
            guard position == next else {
                throw DurabilityError.missing(
                    from: position, to: next, reason: "\(FleetNames.segment(next)) does not follow the segment before it")
            }
        }
        try readLast(folder.openSegment(last, .writing))
        guard ledger.orphans == 0 else {
            throw DurabilityError.missing(
                from: firsts[0], to: firsts[0], reason: "the oldest parts of the logs of \(ledger.orphans) members are missing")
        }
    }

    private mutating func read(_ segment: FleetSegment, to next: UInt64?) throws -> (position: UInt64, tornEnd: TornEnd?) {
        if let first = segments.first, first.identity != segment.identity {
            throw DurabilityError.damaged(
                file: FleetNames.segment(segment.first), offset: 0, sequence: segment.first, reason: "it is of another fleet")
        }
        segments.append(segment)
        return try ledger.read(segment, to: next)
    }

    private mutating func readLast(_ segment: FleetSegment) throws {
        tornEnd = try read(segment, to: nil).tornEnd
        if let tornEnd { try segment.file.truncate(to: tornEnd.offset) }
        let unproven = max(ledger.synced, segment.first)
        if unproven < end { try segment.file.rewrite(from: segment.offset(of: unproven), to: segment.offset(of: end)) }
        try segment.file.sync()
    }
}

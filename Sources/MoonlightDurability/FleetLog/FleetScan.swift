/// The content of a fleet's folder when it is opened. A torn end is cut off, and the rest is synced.
struct FleetScan {
    private(set) var ledger = FleetLedger()
    private(set) var tornEnd: TornEnd?
    /// The segments, in order; the last one is open for writing.
    private(set) var segments: [LogSegment] = []
    private let folder: LogFolder
    let identity: UInt64
    /// The end of the log.
    var end: UInt64 { ledger.end }

    init(_ folder: LogFolder) throws {
        self.folder = folder
        try folder.tidy()
        let names = try folder.names()
        let firsts = folder.kind.segments(in: names)
        guard let last = firsts.last else {
            if LogKind.store.isFound(in: names) {
                throw DurabilityError.storage("\(folder.path) has the log of a store, not those of a fleet")
            }
            identity = UInt64.random(in: 1...UInt64.max)
            segments = [try folder.makeSegment(0, identity: identity)]
            return
        }
        identity = try folder.openSegment(last, .reading).identity ?? 0
        for (first, next) in zip(firsts, firsts.dropFirst()) {
            let position = try read(folder.openSegment(first, .reading), to: next).position
            guard position == next else {
                throw DurabilityError.missing(
                    from: position, to: next, reason: "\(folder.kind.segment(next)) does not follow the segment before it")
            }
        }
        try readLast(folder.openSegment(last, .writing))
        guard ledger.orphans == 0 else {
            throw DurabilityError.missing(
                from: firsts[0], to: firsts[0], reason: "the oldest parts of the logs of \(ledger.orphans) members are missing")
        }
    }

    private mutating func read(_ segment: LogSegment, to next: UInt64?) throws -> (position: UInt64, tornEnd: TornEnd?) {
        guard segment.identity == identity else { throw segment.damage(at: segment.first, "it is of another fleet") }
        segments.append(segment)
        return try ledger.read(segment, to: next)
    }

    private mutating func readLast(_ segment: LogSegment) throws {
        tornEnd = try read(segment, to: nil).tornEnd
        try segment.settle(tornEnd, synced: ledger.synced, end: end)
    }
}

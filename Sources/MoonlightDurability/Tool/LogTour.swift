/// Reads all frames of a log's folder without its lock, and skips damage. The log may be written meanwhile.
struct LogTour {
    enum Stop {
        /// A frame, and the number of the member's record before it; nil if that is unknown.
        case frame(LogFrame, after: UInt32?)
        /// Damage, with the affected members; nil if they are unknown.
        case damage(DurabilityError, ids: [String]?)
        /// The end of the last segment, which is torn or being written.
        case end(TornEnd)
    }

    let folder: LogFolder

    init(_ folder: LogFolder) { self.folder = folder }

    /// Calls a closure with each item.
    ///
    /// - Parameters:
    ///   - position: The position from which the frames are read.
    ///   - last: The last record of a store before that position.
    ///   - take: Takes each item.
    /// - Returns: The ledger of the frames.
    @discardableResult
    func go(from position: UInt64 = 0, after last: UInt64 = 0, _ take: (Stop) throws -> Void) throws -> FleetLedger {
        var ledger = FleetLedger()
        var last = last
        var walk = try LogWalk(folder, from: position)
        while let item = try walk.next() {
            switch item {
            case .segment(let segment, let fault):
                ledger.add(segment)
                if let fault { try take(.damage(fault, ids: [])) }
            case .gap(let from, let to, let reason):
                let isStore = folder.kind == .store
                let missing = DurabilityError.missing(
                    from: isStore ? last &+ 1 : from, to: isStore ? last &+ 1 : to, reason: reason)
                ledger.loseOthers(to: to, missing)
                try take(.damage(missing, ids: nil))
            case .damage(let reason):
                guard let found = try ledger.skipDamage(&walk, reason) else { continue }
                try take(.damage(found.error, ids: found.isOthers ? nil : found.ids))
            case .frame(let header, let id):
                let before = ledger.add(header, id)
                last = header.last
                guard let log = try walk.log(of: header) else {
                    try take(.damage(walk.damage(at: header.position, "its records are malformed"), ids: [id]))
                    continue
                }
                try take(
                    .frame(
                        LogFrame(header, id: id, log),
                        after: header.previous == nil || before?.newest != header.previous ? nil : before?.last))
            }
        }
        if let torn = walk.tornEnd { try take(.end(torn)) }
        do { try ledger.checkOrphans() } catch { try take(.damage(error, ids: nil)) }
        return ledger
    }
}

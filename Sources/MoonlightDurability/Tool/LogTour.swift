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
    ///   - take: Takes each item.
    /// - Returns: The ledger of the frames.
    @discardableResult
    func go(from position: UInt64 = 0, _ take: (Stop) throws -> Void) throws -> FleetLedger {
        var ledger = FleetLedger()
        let firsts = try folder.segments()
        let start = firsts.lastIndex { $0 <= position } ?? 0
        var identity: UInt64?
        var last: UInt64?
        for (number, first) in firsts.enumerated() where number >= start {
            let next = number + 1 < firsts.count ? firsts[number + 1] : nil
            let segment: LogSegment
            do { segment = try open(first, take) } catch {
                // A running writer may have removed the oldest segments meanwhile.
                if DurabilityError(wrapping: error).isMissingFile, last == nil { continue }
                throw error
            }
            if let found = segment.identity {
                if let identity, identity != found { throw segment.damage(at: first, "it is of another log") }
                identity = found
            }
            if let last, last < first {
                let missing = DurabilityError.missing(
                    from: last, to: first, reason: "\(segment.name) does not follow the segment before it")
                ledger.loseOthers(to: first, missing)
                try take(.damage(missing, ids: nil))
            }
            let (end, torn) = try ledger.read(segment, from: max(first, position), to: next) { find in
                switch find {
                case .damage(let damage): try take(.damage(damage.error, ids: damage.isOthers ? nil : damage.ids))
                case .frame(let header, let id, let place, let before):
                    let bytes = try segment.file.read(header.size, at: segment.offset(of: place))
                    guard let frame = LogFrame(bytes[...], position: place) else {
                        return try take(.damage(segment.damage(at: place, "its records are malformed"), ids: [id]))
                    }
                    try take(
                        .frame(frame, after: header.previous == nil || before?.newest != header.previous ? nil : before?.last))
                }
            }
            if let torn { try take(.end(torn)) }
            last = end
        }
        if ledger.orphans > 0, let first = firsts.first {
            let missing = DurabilityError.missing(
                from: first, to: first, reason: "the oldest parts of the logs of \(ledger.orphans) members are missing")
            try take(.damage(missing, ids: nil))
        }
        return ledger
    }

    /// Opens a segment, even if its header is damaged: each frame has its own checksum.
    private func open(_ first: UInt64, _ take: (Stop) throws -> Void) throws -> LogSegment {
        do { return try folder.openSegment(first, .reading) } catch DurabilityError.damaged(let file, let offset, let reason) {
            try take(.damage(.damaged(file: file, offset: offset, reason: reason), ids: []))
            return LogSegment(damaged: try folder.open(file, .reading), name: file, first: first)
        }
    }
}

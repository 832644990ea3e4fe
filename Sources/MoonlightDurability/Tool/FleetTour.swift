/// Reads all frames of a fleet's folder without its lock, and skips damage. The fleet may be running.
struct FleetTour {
    enum Stop {
        /// A frame, and the number of the member's record before it; nil if that is unknown.
        case frame(FleetFrame, after: UInt32?)
        /// Damage, with the affected members; nil if they are unknown.
        case damage(DurabilityError, ids: [String]?)
        /// The end of the last segment, which is torn or being written.
        case end(TornEnd)
    }

    private let folder: LogFolder

    init(_ folder: String, _ files: any FileSystem) { self.folder = LogFolder(folder, files) }

    /// Calls a closure with each item.
    ///
    /// - Returns: The ledger of the frames.
    func go(_ take: (Stop) throws -> Void) throws -> FleetLedger {
        var ledger = FleetLedger()
        let firsts = FleetNames.segments(in: try folder.names())
        var (identity, position): (UInt64?, UInt64?)
        for (number, first) in firsts.enumerated() {
            let next = number + 1 < firsts.count ? firsts[number + 1] : nil
            let segment: FleetSegment
            do { segment = try open(first, take) } catch {
                // A running fleet may have removed the oldest segments meanwhile.
                if DurabilityError(wrapping: error).isMissingFile, position == nil {
                    continue
                }
                throw error
            }
            if segment.identity != 0, identity ?? segment.identity != segment.identity {
                throw DurabilityError.damaged(
                    file: FleetNames.segment(first), offset: 0, sequence: first, reason: "it is of another fleet")
            }
            if segment.identity != 0 { identity = segment.identity }
            if let position, position < first {
                let missing = DurabilityError.missing(
                    from: position, to: first, reason: "\(FleetNames.segment(first)) does not follow the segment before it")
                ledger.loseOthers(to: first, missing)
                try take(.damage(missing, ids: nil))
            }
            let (end, torn) = try ledger.read(segment, to: next) { find in
                switch find {
                case .damage(let damage): try take(.damage(damage.error, ids: damage.isOthers ? nil : damage.ids))
                case .frame(let header, let id, let place, let before):
                    let bytes = try segment.file.read(header.size, at: segment.offset(of: place))
                    guard let frame = FleetFrame(bytes, position: place) else {
                        let error = DurabilityError.damaged(
                            file: FleetNames.segment(first), offset: segment.offset(of: place), sequence: place,
                            reason: "its records are malformed")
                        return try take(.damage(error, ids: [id]))
                    }
                    try take(
                        .frame(frame, after: header.previous == nil || before?.newest != header.previous ? nil : before?.last))
                }
            }
            if let torn { try take(.end(torn)) }
            position = end
        }
        if ledger.orphans > 0, let first = firsts.first {
            let missing = DurabilityError.missing(
                from: first, to: first, reason: "the oldest parts of the logs of \(ledger.orphans) members are missing")
            try take(.damage(missing, ids: nil))
        }
        return ledger
    }

    /// Opens a segment, even if its header is damaged: each frame has its own checksum.
    private func open(_ first: UInt64, _ take: (Stop) throws -> Void) throws -> FleetSegment {
        do { return try folder.openSegment(first, .reading) } catch DurabilityError.damaged(
            let file, let offset, let sequence, let reason)
        {
            try take(.damage(.damaged(file: file, offset: offset, sequence: sequence, reason: reason), ids: []))
            return FleetSegment(damaged: try folder.open(file, .reading), first: first)
        }
    }
}

/// Reads all segments of a folder without its lock, and skips damage. The log may be written meanwhile.
struct LogTour {
    enum Stop {
        case record(LogRecord, segment: UInt64)
        /// The end of the last segment, which is torn or being written.
        case end(TornEnd)
        case damage(DurabilityError)
        /// Records are missing, because the log was resumed behind a snapshot after a failure.
        case restart(from: UInt64, to: UInt64)
    }

    let reader: FolderReader

    init(_ folder: String, _ files: any FileSystem) { reader = FolderReader(folder: LogFolder(folder, files)) }

    /// Calls a closure with each item from a record on.
    ///
    /// - Parameter take: Returns whether to continue.
    func go(from sequence: UInt64 = 1, _ take: (Stop) throws -> Bool) throws {
        let segments = FolderNames.segments(in: try reader.folder.names())
        var expected: UInt64?
        let start = segments.lastIndex { $0 <= sequence } ?? 0
        for (index, first) in segments.enumerated() where index >= start {
            let isLast = index == segments.count - 1
            let segment: FolderReader.Segment
            do throws(DurabilityError) { segment = try reader.open(first) } catch {
                // The writer has removed it meanwhile.
                if error.isMissingFile { continue }
                if try !take(.damage(error)) { return }
                expected = nil
                continue
            }
            defer { segment.file.close() }
            if let expected, expected != first {
                let stop =
                    segment.header.isRestart && first > expected
                    ? Stop.restart(from: expected, to: first - 1)
                    : .damage(
                        .missing(from: expected, to: first - 1, reason: "\(segment.name) does not follow the segment before it"))
                if try !take(stop) { return }
            }
            let (goesOn, next) = try go(through: segment, from: sequence, isLast: isLast, take)
            if !goesOn { return }
            expected = next
        }
    }

    /// Reads a segment.
    ///
    /// - Returns: Whether to continue, and the record that should follow; nil if that is unknown because of damage.
    private func go(
        through segment: FolderReader.Segment, from sequence: UInt64, isLast: Bool, _ take: (Stop) throws -> Bool
    ) throws -> (goesOn: Bool, next: UInt64?) {
        var records = try SegmentReader(segment.file, first: segment.header.first)
        while true {
            let offset = records.offset
            switch try records.next() {
            case .end: return (true, records.expected)
            case .record(let record, _):
                if record.sequence >= sequence, try !take(.record(record, segment: segment.header.first)) { return (false, nil) }
            case .bad(let reason):
                let torn = TornEnd(file: segment.name, offset: offset, sequence: records.expected, count: records.rest)
                let isDamaged = try records.isProvenDamaged()
                // After a failure, the end of a segment is torn although another follows.
                if try !isDamaged && (isLast || isRestarted(after: segment)) {
                    return (try take(.end(torn)), records.expected)
                }
                let damage = DurabilityError.damaged(
                    file: segment.name, offset: offset, sequence: records.expected, reason: reason)
                return (try take(.damage(damage)), nil)
            }
        }
    }

    private func isRestarted(after segment: FolderReader.Segment) throws -> Bool {
        let segments = FolderNames.segments(in: try reader.folder.names())
        guard let next = segments.first(where: { $0 > segment.header.first }) else { return true }
        let following = try reader.open(next)
        defer { following.file.close() }
        return following.header.isRestart
    }
}

/// Reads the log in a folder, without its lock and without changing it.
struct FolderReader {
    let folder: LogFolder

    /// A segment that has been opened.
    struct Segment {
        let name: String
        let header: SegmentHeader
        let file: any OpenFile
    }

    /// Opens a segment, and checks its header.
    func open(_ first: UInt64, _ access: FileAccess = .reading) throws(DurabilityError) -> Segment {
        let name = FolderNames.segment(first)
        let file = try folder.open(name, access)
        do throws(DurabilityError) {
            return Segment(name: name, header: try SegmentHeader(of: file, .store, first: first, name: name), file: file)
        } catch {
            file.close()
            throw error
        }
    }

    /// Reads a snapshot; nil if it is damaged, or of another log.
    func snapshot(at sequence: UInt64, identity: UInt64?) throws(DurabilityError) -> LogSnapshot? {
        let file = try folder.open(FolderNames.snapshot(sequence), .reading)
        defer { file.close() }
        let snapshot = SnapshotFormat.snapshot(try file.read(try file.size(), at: 0), identity: identity)
        return snapshot?.sequence == sequence ? snapshot : nil
    }

    /// The result of ``read(after:_:)``.
    struct Reading {
        /// The last record that was read; the one before the first if none was.
        var last: UInt64
        /// The first record of the last segment; nil if there is none.
        var segment: UInt64?
        /// The offset in the last segment at which its last intact record ends.
        var end = SegmentHeader.size
        /// The number of the record that would begin there.
        var next: UInt64 = 1
        /// The offset in the last segment of the first record that is not proven to have been synced.
        var unproven: Int { unprovenRecords.first?.offset ?? end }
        var tornEnd: TornEnd?
        private var unprovenRecords: ArraySlice<(sequence: UInt64, offset: Int)> = []

        init(last: UInt64) { self.last = last }

        mutating func begin(_ segment: UInt64) {
            self.segment = segment
            end = SegmentHeader.size
            next = segment
            unprovenRecords = []
        }

        mutating func note(_ sequence: UInt64, at offset: Int, end: Int, synced: UInt64) {
            self.end = end
            next = sequence + 1
            while let first = unprovenRecords.first, first.sequence <= synced { unprovenRecords.removeFirst() }
            unprovenRecords.append((sequence, offset))
        }
    }

    /// Reads all records after one.
    ///
    /// - Parameters:
    ///   - sequence: The record before the first to read.
    ///   - take: Takes each record, with its segment and offset.
    func read(
        after sequence: UInt64, _ take: (LogRecord, _ segment: UInt64, _ offset: Int) throws -> Void
    ) throws -> Reading {
        let segments = FolderNames.segments(in: try folder.names())
        var reading = Reading(last: sequence)
        // The segment that has the first record to read, and those after it.
        let start = segments.lastIndex { $0 <= sequence + 1 } ?? 0
        if let first = segments.first, first > sequence + 1 {
            throw DurabilityError.missing(
                from: sequence + 1, to: first - 1, reason: "the first segment is \(FolderNames.segment(first))")
        }
        for (index, first) in segments.enumerated() where index >= start {
            if index > start, first != reading.next {
                throw DurabilityError.missing(
                    from: reading.next, to: first - 1,
                    reason: "\(FolderNames.segment(first)) does not follow the segment before it")
            }
            reading.begin(first)
            try read(first, after: sequence, isLast: index == segments.count - 1, into: &reading, take)
        }
        return reading
    }

    private func read(
        _ first: UInt64, after sequence: UInt64, isLast: Bool, into reading: inout Reading,
        _ take: (LogRecord, _ segment: UInt64, _ offset: Int) throws -> Void
    ) throws {
        let segment = try open(first)
        defer { segment.file.close() }
        var reader = try SegmentReader(segment.file, first: first)
        while true {
            let offset = reader.offset
            switch try reader.next() {
            case .end: return
            case .record(let record, let synced):
                reading.note(record.sequence, at: offset, end: reader.offset, synced: synced)
                if record.sequence > sequence {
                    try take(record, first, offset)
                    reading.last = record.sequence
                }
            case .bad(let reason):
                // A segment is begun only when the one before it is durable.
                if try !isLast || reader.isProvenDamaged(after: sequence) {
                    throw DurabilityError.damaged(file: segment.name, offset: offset, sequence: reader.expected, reason: reason)
                }
                reading.tornEnd = TornEnd(file: segment.name, offset: offset, sequence: reader.expected, count: reader.rest)
                return
            }
        }
    }
}

/// The log in a folder, for its one writer. Each call blocks the caller's thread until it is done.
///
/// Power may be lost at any time, because of four rules:
/// - A file gets its name when it is complete and synced, and the folder is synced then. So a segment has its header, and a snapshot
///   is complete or absent.
/// - A segment is begun only when the one before it is synced to its end.
/// - A record says which records were synced when it was written: see ``RecordFormat``.
/// - After a failure, nothing is written behind the failed bytes. The log continues in a new segment, behind a snapshot.
final class FolderLog {
    private let folder: LogFolder
    private let reader: FolderReader
    /// Nil if the log is only read.
    private let lock: (any FileLock)?
    private let segmentSize: Int
    let identity: UInt64
    private var reading: FolderReader.Reading?
    /// The segment that is being written.
    private var file: (any OpenFile)?
    private var end = 0
    /// The last record that was written.
    private(set) var written: UInt64 = 0
    /// The last record that was synced.
    private(set) var synced: UInt64 = 0
    /// The failure after which nothing is written.
    private(set) var failure: DurabilityError?
    /// A buffer for encoded records, reused.
    private var buffer: [UInt8] = []

    /// Opens a folder, which is created if it does not exist, and takes its lock. Changes nothing else.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - note: The description of this writer for a second one; nil to read the log without a lock.
    ///   - segmentSize: The number of bytes after which another segment is begun.
    init(_ folder: LogFolder, note: String?, segmentSize: Int) throws(DurabilityError) {
        reader = FolderReader(folder: folder)
        self.folder = folder
        self.segmentSize = segmentSize
        let lock: (any FileLock)?
        if let note {
            try folder.files.makeFolder(folder.path)
            lock = try folder.lock(note: note)
        } else {
            lock = nil
        }
        self.lock = lock
        do throws(DurabilityError) { identity = try Self.findIdentity(reader) } catch {
            lock?.unlock()
            throw error
        }
    }

    private static func findIdentity(_ reader: FolderReader) throws(DurabilityError) -> UInt64 {
        let names = try reader.folder.names()
        if let newest = FolderNames.segments(in: names).last {
            let segment = try reader.open(newest)
            segment.file.close()
            return segment.header.identity
        }
        // A log always has a segment once it was opened.
        if let newest = FolderNames.snapshots(in: names).last {
            let reason = "has \(FolderNames.snapshot(newest)) and no segment: what followed the snapshot is lost"
            throw .missing(from: newest + 1, to: newest + 1, reason: "\(reader.folder.path) \(reason)")
        }
        if names.contains(where: { FolderNames.number($0, FolderNames.fleetSegment) != nil }) {
            throw .storage("\(reader.folder.path) has the logs of a fleet, not that of a store")
        }
        // The first segment will have it.
        return UInt64.random(in: 1...UInt64.max)
    }

    // MARK: Reading

    /// The last records that the snapshots include, newest first.
    func snapshots() throws(DurabilityError) -> [UInt64] { FolderNames.snapshots(in: try folder.names()).reversed() }

    func snapshot(at sequence: UInt64) throws(DurabilityError) -> LogSnapshot? {
        try reader.snapshot(at: sequence, identity: identity)
    }

    func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        let reading = try reader.read(after: sequence) { record, _, _ in try take(record) }
        self.reading = reading
        return reading.tornEnd
    }

    // MARK: Writing

    /// Cuts off a torn end, makes all records durable that were read, and prepares to append.
    func begin(after sequence: UInt64) throws(DurabilityError) {
        let reading = reading
        try guarding { () throws(DurabilityError) in
            try folder.tidy()
            (written, synced) = (sequence, sequence)
            guard let reading, let segment = reading.segment, reading.next == sequence + 1 else {
                // There is no segment, or the snapshot includes more records than it has.
                return try beginSegment(isRestart: reading?.segment != nil)
            }
            let file = try reader.open(segment, .writing).file
            self.file = file
            end = reading.end
            if reading.tornEnd != nil { try file.truncate(to: reading.end) }
            try file.rewrite(from: reading.unproven, to: reading.end)
            try file.sync()
        }
    }

    /// Appends records. A failure may leave some of them in the file; nothing more is appended then.
    func append(_ records: [LogRecord], synced isSynced: Bool) throws(DurabilityError) {
        if let failure { throw failure }
        try guarding { () throws(DurabilityError) in
            if end > segmentSize, end > SegmentHeader.size { try rollSegment() }
            guard let file else { throw DurabilityError.closed }
            buffer.removeAll(keepingCapacity: true)
            for record in records {
                guard record.payload.count <= RecordFormat.largestPayload else {
                    throw DurabilityError.unwritable("record \(record.sequence) has \(record.payload.count) bytes")
                }
                RecordFormat.append(record, synced: synced, to: &buffer)
            }
            try file.write(buffer, at: end)
            end += buffer.count
            if let last = records.last { written = last.sequence }
            if buffer.capacity > 1 << 22 { buffer = [] }
            if isSynced { try syncFile() }
        }
    }

    func sync() throws(DurabilityError) {
        if let failure { throw failure }
        if synced == written { return }
        try guarding { () throws(DurabilityError) in try syncFile() }
    }

    /// Begins a new segment, unless the present one is empty.
    func roll() throws(DurabilityError) {
        if let failure { throw failure }
        if end == SegmentHeader.size { return }
        try guarding { () throws(DurabilityError) in try rollSegment() }
    }

    /// Saves a snapshot. Uses nothing that the other methods change, so that it may run beside them.
    func save(_ snapshot: LogSnapshot) throws(DurabilityError) {
        try folder.put(SnapshotFormat.bytes(snapshot, identity: identity), as: FolderNames.snapshot(snapshot.sequence))
    }

    /// Removes the snapshots before the last two and, unless history is kept, the segments that the older of the two includes.
    func prune(keepsHistory: Bool) throws(DurabilityError) {
        let names = try folder.names()
        let snapshots = FolderNames.snapshots(in: names)
        for sequence in snapshots.dropLast(2) { try folder.remove(FolderNames.snapshot(sequence)) }
        guard !keepsHistory, snapshots.count > 1 else { return }
        let needed = snapshots[snapshots.count - 2] + 1
        let segments = FolderNames.segments(in: names)
        for (segment, next) in zip(segments, segments.dropFirst()) where next <= needed {
            try folder.remove(FolderNames.segment(segment))
        }
    }

    /// Resumes after a failure, in a new segment behind a snapshot. Failed appends are never read again.
    func restart(from snapshot: LogSnapshot) throws(DurabilityError) {
        file?.close()
        file = nil
        try save(snapshot)
        failure = nil
        (written, synced) = (snapshot.sequence, snapshot.sequence)
        try guarding { () throws(DurabilityError) in try beginSegment(isRestart: true) }
    }

    /// Syncs what can be synced, and releases the lock.
    func close() {
        if failure == nil { try? sync() }
        file?.close()
        file = nil
        failure = failure ?? .closed
        lock?.unlock()
    }

    private func guarding(_ body: () throws(DurabilityError) -> Void) throws(DurabilityError) {
        do throws(DurabilityError) { try body() } catch {
            failure = error
            throw error
        }
    }

    private func syncFile() throws(DurabilityError) {
        if synced == written { return }
        try file?.sync()
        synced = written
    }

    private func rollSegment() throws(DurabilityError) {
        try syncFile()
        file?.close()
        file = nil
        try beginSegment(isRestart: false)
    }

    private func beginSegment(isRestart: Bool) throws(DurabilityError) {
        let first = written + 1
        let header = SegmentHeader(.store, identity: identity, first: first, isRestart: isRestart)
        try folder.put(header.bytes, as: FolderNames.segment(first))
        file = try reader.open(first, .writing).file
        end = SegmentHeader.size
    }
}

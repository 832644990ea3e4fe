import Synchronization

/// The log of a store in a folder, for its one writer: frames, and snapshots in separate files. Each call blocks the caller's thread
/// until it is done.
///
/// A snapshot is made when a segment is begun, and contains the position at which the records after it begin. Like a segment, it is
/// complete or absent.
final class StoreLog: LogBackend, @unchecked Sendable {
    // Sound: a store calls the methods one after another, as `LogBackend` requires, except `save`, whose properties are atomic or do not
    // change while the log is open.
    let folder: LogFolder
    private let segmentSize: Int
    private let isReadOnly: Bool
    /// Nil if the log is only read, or closed.
    private var lock: (any FileLock)?
    private(set) var identity: UInt64 = 0
    /// The snapshots that were read.
    private var snapshots: [UInt64: StoreSnapshot] = [:]
    /// The walk of ``read(after:_:)``, and the last record according to its last frame.
    private var reading: (walk: LogWalk, last: UInt64?)?
    /// Nil until the log is begun, and once it is closed.
    private var writer: FrameWriter?
    /// The last record that was written.
    private(set) var written: UInt64 = 0
    /// The failure after which nothing is written.
    private(set) var failure: DurabilityError?
    /// The segment with the records after the next snapshot. Atomic, since snapshots are saved beside the appends.
    private let start = Atomic<UInt64>(0)
    /// A buffer for encoded frames, reused.
    private var buffer: [UInt8] = []

    /// Creates a log. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - segmentSize: The number of bytes after which another segment is begun.
    ///   - isReadOnly: True if the log is only read, without its lock.
    init(_ folder: LogFolder, segmentSize: Int, isReadOnly: Bool = false) {
        self.folder = folder
        self.segmentSize = segmentSize
        self.isReadOnly = isReadOnly
    }

    /// Opens the folder, which is created if it does not exist, and takes its lock. Changes nothing else.
    ///
    /// - Returns: The last records that the snapshots include, newest first.
    func open() throws(DurabilityError) -> [UInt64] {
        let lock: (any FileLock)?
        if isReadOnly {
            lock = nil
        } else {
            try folder.files.makeFolders(folder.path)
            lock = try folder.lock()
        }
        do throws(DurabilityError) {
            identity = try Self.findIdentity(folder)
            let found = try folder.names()
            self.lock = lock
            snapshots = [:]
            reading = nil
            failure = nil
            return LogKind.snapshots(in: found).reversed()
        } catch {
            lock?.unlock()
            throw error
        }
    }

    private static func findIdentity(_ folder: LogFolder) throws(DurabilityError) -> UInt64 {
        let names = try folder.names()
        if let newest = folder.kind.segments(in: names).last {
            return try folder.openSegment(newest, .reading).identity ?? 0
        }
        // A log always has a segment once it was opened.
        if let newest = LogKind.snapshots(in: names).last {
            let reason = "has \(LogKind.snapshot(newest)) and no segment: what followed the snapshot is lost"
            throw .missing(from: newest + 1, to: newest + 1, reason: "\(folder.path) \(reason)")
        }
        if LogKind.fleet.isFound(in: names) { throw .storage("\(folder.path) has the logs of a fleet, not that of a store") }
        // The first segment will have it.
        return UInt64.random(in: 1...UInt64.max)
    }

    // MARK: Reading

    func snapshot(at sequence: UInt64) throws(DurabilityError) -> LogSnapshot? {
        guard let found = try folder.snapshot(at: sequence), found.identity == identity else { return nil }
        snapshots[sequence] = found
        return found.snapshot
    }

    /// Reads the records after one, which is 0 or that of a snapshot that was read.
    func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        let snapshot = snapshots[sequence]
        var walk = try LogWalk(folder, identity: identity, from: snapshot?.start ?? 0)
        // Unless a crash has interrupted a restart, it was there before the snapshot.
        if let snapshot, !snapshot.isRestart, !walk.firsts.contains(snapshot.start) {
            throw missing(after: sequence, folder.missingSegment(snapshot.start))
        }
        var last = sequence
        var lastOfFrames: UInt64?
        while let item = try walk.next() {
            switch item {
            case .segment(_, let fault): if let fault { throw fault }
            case .gap(_, _, let reason): throw missing(after: last, reason)
            case .damage(let reason): throw walk.damage(at: walk.position, reason)
            case .frame(let header, _):
                guard let log = try walk.log(of: header) else {
                    throw walk.damage(at: header.position, "its records are malformed")
                }
                for record in log.records where record.sequence > last {
                    guard record.sequence == last + 1 else {
                        throw DurabilityError.missing(
                            from: last + 1, to: record.sequence - 1, reason: "the log continues with record \(record.sequence)")
                    }
                    try take(record)
                    last = record.sequence
                }
                if header.last > last {
                    let reason = "they are only in a snapshot, as the log was resumed after a failure"
                    throw DurabilityError.missing(from: last + 1, to: header.last, reason: reason)
                }
                lastOfFrames = header.last
            }
        }
        reading = (walk, lastOfFrames)
        return walk.tornEnd
    }

    private func missing(after sequence: UInt64, _ reason: String) -> DurabilityError {
        .missing(from: sequence + 1, to: sequence + 1, reason: reason)
    }

    // MARK: Writing

    /// Cuts off a torn end, makes all records durable that were read, and prepares to append.
    func begin(after sequence: UInt64) throws(DurabilityError) {
        try guarding { () throws(DurabilityError) in
            try folder.tidy()
            written = sequence
            let walk: LogWalk
            if let reading { walk = reading.walk } else { walk = try LogWalk(folder) }
            let writer = try walk.writer(identity: identity, segmentSize: segmentSize)
            self.writer = writer
            guard walk.segment != nil else { return }
            // A crash has interrupted a restart between the snapshot and its segment.
            let last = reading?.last ?? (snapshots[sequence]?.isRestart == true ? nil : sequence)
            if last != sequence { try writer.write(frame(MemberLog(), last: sequence, writer), synced: true) }
        }
    }

    /// Appends records. A failure may leave them in the file; nothing more is appended then.
    func append(_ records: [LogRecord], synced isSynced: Bool) throws(DurabilityError) {
        if let failure { throw failure }
        guard let last = records.last else { return isSynced ? try sync() : () }
        try guarding { () throws(DurabilityError) in
            guard let writer else { throw DurabilityError.closed }
            buffer = frame(MemberLog(records: records), last: last.sequence, writer)
            guard buffer.count <= LogFrame.largestSize else {
                throw DurabilityError.unwritable("the records to \(last.sequence) have \(buffer.count) bytes")
            }
            try writer.write(buffer, synced: isSynced)
            written = last.sequence
            if buffer.capacity > 1 << 22 { buffer = [] }
        }
    }

    func sync() throws(DurabilityError) {
        if let failure { throw failure }
        try guarding { () throws(DurabilityError) in try writer?.sync() }
    }

    /// Begins a new segment, unless the present one is empty, for a snapshot of the state after all records that were written.
    func roll() throws(DurabilityError) {
        if let failure { throw failure }
        guard let writer else { throw .closed }
        try guarding { () throws(DurabilityError) in try writer.roll() }
        start.store(writer.segment.first, ordering: .releasing)
    }

    /// Saves a snapshot of the state at the last roll or restart. Uses nothing that the appending methods change, so that it may
    /// run beside them.
    func save(_ snapshot: LogSnapshot) throws(DurabilityError) {
        try save(StoreSnapshot(snapshot, identity: identity, start: start.load(ordering: .acquiring), isRestart: false))
    }

    private func save(_ snapshot: StoreSnapshot) throws(DurabilityError) {
        try folder.put(try snapshot.bytes(), as: LogKind.snapshot(snapshot.snapshot.sequence))
    }

    /// Removes the snapshots before the last two and, unless history is kept, the segments that the older of the two includes.
    ///
    /// The snapshots of resumptions are part of the history: they alone have the records that could not be written.
    func prune(keepsHistory: Bool) throws(DurabilityError) {
        let names = try folder.names()
        let snapshots = LogKind.snapshots(in: names)
        for sequence in snapshots.dropLast(2) {
            if keepsHistory, try folder.beginning(ofSnapshotAt: sequence)?.isRestart == true { continue }
            try folder.remove(LogKind.snapshot(sequence))
        }
        guard !keepsHistory, let older = snapshots.dropLast().last else { return }
        guard let needed = try folder.beginning(ofSnapshotAt: older)?.start else { return }
        let segments = folder.kind.segments(in: names)
        for (segment, next) in zip(segments, segments.dropFirst()) where next <= needed { try folder.removeSegment(segment) }
    }

    /// Resumes after a failure, with a snapshot.
    func restart(from snapshot: LogSnapshot) throws(DurabilityError) {
        guard let writer else { throw .closed }
        // Records of the old segment behind the sync are included in the snapshot.
        try save(StoreSnapshot(snapshot, identity: identity, start: writer.synced, isRestart: true))
        failure = nil
        try guarding { () throws(DurabilityError) in
            try writer.mend(adding: frame(MemberLog(), last: snapshot.sequence, writer))
        }
        start.store(writer.segment.first, ordering: .releasing)
        written = snapshot.sequence
    }

    /// Syncs what can be synced, and releases the lock.
    func close() {
        // A `LogWriter` has synced before, and has reported a failure. This only saves what can be saved now.
        if failure == nil { try? sync() }
        writer = nil
        failure = failure ?? .closed
        lock?.unlock()
        lock = nil
    }

    private func frame(_ log: MemberLog, last: UInt64, _ writer: FrameWriter) -> [UInt8] {
        var bytes = buffer
        buffer = []
        bytes.removeAll(keepingCapacity: true)
        LogFrame(position: writer.end, synced: writer.synced, last: last, log: log).append(to: &bytes)
        return bytes
    }

    private func guarding(_ body: () throws(DurabilityError) -> Void) throws(DurabilityError) {
        do throws(DurabilityError) { try body() } catch {
            failure = error
            throw error
        }
    }
}

/// A snapshot of a store in a file: a ``SegmentHeader`` and a frame, which has a previous one if the log was resumed with the
/// snapshot after a failure.
struct StoreSnapshot {
    let snapshot: LogSnapshot
    let identity: UInt64
    /// The position from which the records after it are read.
    let start: UInt64
    let isRestart: Bool

    init(_ snapshot: LogSnapshot, identity: UInt64, start: UInt64, isRestart: Bool) {
        self.snapshot = snapshot
        self.identity = identity
        self.start = start
        self.isRestart = isRestart
    }

    /// Reads a snapshot; nil if it is damaged.
    init?(_ bytes: [UInt8]) {
        guard let header = SegmentHeader(bytes[...]),
            let frame = LogFrame(bytes.dropFirst(SegmentHeader.size), position: header.first), let snapshot = frame.log.snapshot
        else { return nil }
        self.init(snapshot, identity: header.identity, start: header.first, isRestart: frame.previous != nil)
    }

    func bytes() throws(DurabilityError) -> [UInt8] {
        guard snapshot.payload.count < Int(UInt32.max) - 1024 else {
            throw .unwritable("the snapshot of record \(snapshot.sequence) has \(snapshot.payload.count) bytes")
        }
        var bytes = SegmentHeader(identity: identity, first: start).bytes
        LogFrame(
            position: start, previous: isRestart ? start : nil, synced: start, last: snapshot.sequence,
            log: MemberLog(snapshot: snapshot)
        ).append(to: &bytes)
        return bytes
    }
}

extension LogFolder {
    /// Reads a snapshot of a store; nil if it is damaged.
    func snapshot(at sequence: UInt64) throws(DurabilityError) -> StoreSnapshot? {
        let file = try open(LogKind.snapshot(sequence), .reading)
        defer { file.close() }
        let found = StoreSnapshot(try file.read(try file.size(), at: 0))
        return found?.snapshot.sequence == sequence ? found : nil
    }

    /// Reads the beginning of a snapshot; nil if it is damaged.
    func beginning(ofSnapshotAt sequence: UInt64) throws(DurabilityError) -> (start: UInt64, isRestart: Bool)? {
        let file = try open(LogKind.snapshot(sequence), .reading)
        defer { file.close() }
        let size = SegmentHeader.size + LogFrame.headerSize
        let bytes = try file.read(size, at: 0)
        guard bytes.count == size, let header = SegmentHeader(bytes[...]) else { return nil }
        let frame = bytes.withUnsafeBytes { LogFrame.Header($0, at: SegmentHeader.size) }
        return (header.first, frame.previous != nil)
    }
}

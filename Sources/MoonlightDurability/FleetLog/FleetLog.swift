import Streams

/// The log that the members of a fleet share, for its one writer. Each call blocks the caller's thread until it is done.
final class FleetLog {
    private let folder: LogFolder
    private let lock: any FileLock
    private let segmentSize: UInt64
    private let shared: FleetContents
    private let writer: FrameWriter
    /// The frames to write.
    private var buffer: [UInt8] = []
    /// The index entries after the buffer is written.
    private var moves: [(key: MemberHash, slot: FleetIndex.Slot?)] = []
    private var cleaning = FleetCleaning()
    private var canClean = true

    private init(_ folder: LogFolder, lock: any FileLock, segmentSize: Int, shared: FleetContents, _ scan: FleetScan) {
        self.folder = folder
        self.lock = lock
        self.segmentSize = UInt64(segmentSize)
        self.shared = shared
        writer = FrameWriter(
            folder, segmentSize: segmentSize, scan.segments[scan.segments.count - 1], end: scan.end, noteSegment: shared.begin)
        // Damaged logs are not moved: at the end, the intact part would be taken for the whole log.
        canClean = scan.ledger.damage.isEmpty
    }

    /// Opens a folder, which is created if it does not exist, takes its lock, reads all of it, and cuts off a torn end.
    static func open(
        _ folder: LogFolder, segmentSize: Int, note: String, _ shared: FleetContents
    ) throws -> (log: FleetLog, dues: [MemberDue]) {
        try folder.files.makeFolder(folder.path)
        let lock = try folder.lock(note: note)
        do {
            let scan = try FleetScan(folder)
            let log = FleetLog(folder, lock: lock, segmentSize: segmentSize, shared: shared, scan)
            shared.view.withLock { view in
                view = FleetView(
                    isOpen: true, identity: scan.identity, index: scan.ledger.index, segments: scan.segments, end: scan.end,
                    tornEnd: scan.tornEnd, damage: scan.ledger.damage, cleaningFailure: scan.ledger.damage.first)
            }
            return (log, scan.ledger.dues.map { MemberDue(id: $0.key.text, due: $0.value) })
        } catch {
            lock.unlock()
            throw error
        }
    }

    // MARK: Appending

    func append(_ batch: [MemberAppend], synced isSynced: Bool) throws -> [DurabilityError?] {
        if writer.hasFailed { try writer.mend() }
        clear()
        let answers = batch.map { entry -> DurabilityError? in
            do throws(DurabilityError) {
                try add(entry)
                return nil
            } catch { return error }
        }
        let count = buffer.count
        try write(synced: isSynced)
        clean(afterAppending: count)
        return answers
    }

    /// Removes the log of a member, by a frame that invalidates those before it. The bytes are deleted with their segments.
    func remove(_ id: String) throws {
        if writer.hasFailed { try writer.mend() }
        guard shared.view.withLock({ $0.index[MemberHash(id)] != nil || $0.damage.error(of: id, newest: nil) != nil }) else {
            return try sync()
        }
        clear()
        try add(MemberLog(), of: id, last: LogFrame.removal, due: nil, behind: nil, base: nil)
        let count = buffer.count
        try write(synced: true)
        shared.view.withLock { $0.damage.remove(id) }
        clean(afterAppending: count)
    }

    func sync() throws {
        if writer.hasFailed { try writer.mend() }
        try writer.sync()
    }

    /// Syncs what can be synced, and releases the lock.
    func close() {
        try? sync()
        lock.unlock()
    }

    private func clear() {
        if buffer.capacity > 1 << 22 { buffer = [] }
        buffer.removeAll(keepingCapacity: true)
        moves.removeAll(keepingCapacity: true)
    }

    private func add(_ entry: MemberAppend) throws(DurabilityError) {
        let slot = shared[entry.id]
        guard slot?.last ?? 0 == UInt32(truncatingIfNeeded: entry.expected), slot != nil || entry.expected == 0 else {
            throw .conflict(id: entry.id, expected: entry.expected)
        }
        var log = MemberLog(records: entry.records)
        if let snapshot = entry.snapshot {
            guard snapshot.sequence >= entry.expected, snapshot.sequence <= entry.last else {
                throw .unwritable(
                    "the snapshot of \(entry.id) is of record \(snapshot.sequence), but the log ends with \(entry.last)")
            }
            log = MemberLog(snapshot: snapshot, records: entry.records.filter { $0.sequence > snapshot.sequence })
        }
        let previous = entry.snapshot == nil ? slot?.newest : nil
        try add(log, of: entry.id, last: entry.last, due: entry.due, behind: previous, base: slot?.base)
    }

    /// Adds a frame to the buffer.
    private func add(
        _ log: MemberLog, of id: String, last: UInt64, due: Int64?, behind previous: UInt64?, base: UInt64?
    ) throws(DurabilityError) {
        let start = buffer.count
        let position = writer.end + UInt64(start)
        LogFrame(position: position, previous: previous, synced: writer.synced, last: last, due: due, id: id, log: log)
            .append(to: &buffer)
        guard buffer.count - start <= LogFrame.largestSize else {
            let count = buffer.count - start
            buffer.removeLast(count)
            throw .unwritable("an append to the log of \(id) has \(count) bytes")
        }
        let key = MemberHash(id)
        let slot = FleetIndex.Slot(key, newest: position, base: previous == nil ? position : base ?? position, last: last)
        moves.append((key, last == LogFrame.removal ? nil : slot))
    }

    /// Writes the buffer, and publishes it to readers.
    private func write(synced isSynced: Bool) throws {
        try writer.write(buffer, synced: isSynced)
        let moves = moves
        let end = writer.end
        shared.view.withLock { view in
            for move in moves { view.index[move.key] = move.slot }
            view.end = end
        }
    }

    // MARK: Copying

    /// Adds the whole log of a new member. ``finishCopying()`` writes what is buffered.
    func copy(_ log: MemberLog, of id: String, due: Int64?) throws {
        try add(log, of: id, last: log.last, due: due, behind: nil, base: nil)
        if buffer.count > 1 << 20 { try finishCopying() }
    }

    func finishCopying() throws {
        try write(synced: true)
        clear()
    }

    // MARK: Cleaning

    /// Moves some needed logs from the oldest segments to the end, and removes segments without any.
    private func clean(afterAppending count: Int) {
        guard canClean, cleaning.isDue(end: writer.end, segments: shared.segments, segmentSize: segmentSize) else { return }
        clear()
        do {
            var budget = max(1 << 16, 4 * count)
            while budget > 0 {
                switch try cleaning.next(shared) {
                case .over(let size):
                    budget -= size
                case .needed(let id, let chain, let size):
                    budget -= size
                    try add(
                        chain.log, of: id, last: chain.newest.last, due: chain.newest.due, behind: nil, base: nil)
                    if buffer.count > 1 << 20 { try move() }
                case .segmentEnds(let segment):
                    try move()
                    let old = shared.view.withLock { $0.segments.remove(at: 0) }
                    discard(old)
                    try folder.removeSegment(segment.first)
                case .ends:
                    budget = 0
                }
            }
            try move()
            cleaning.endStep(end: writer.end, segments: shared.segments)
        } catch {
            let failure = DurabilityError(wrapping: error)
            // A failed move changes nothing.
            cleaning = FleetCleaning()
            // A failed write is tried again; damage stays.
            if !writer.hasFailed {
                canClean = false
                shared.view.withLock { $0.cleaningFailure = failure }
            }
        }
    }

    private func move() throws {
        if buffer.isEmpty { return }
        try write(synced: true)
        clear()
    }
}

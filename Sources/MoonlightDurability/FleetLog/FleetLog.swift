import PlainText
import Streams

/// The log that the members of a fleet share, in a folder. Each call blocks the caller's thread until it is done.
final class FleetLog: FleetBackend, @unchecked Sendable {
    // Sound: a fleet calls the appending methods one after another, as `FleetBackend` requires, and only they use the variables. The
    // reading methods use only the view behind the lock.
    private let folder: LogFolder
    private let segmentSize: Int
    let view = Lock(FleetView())
    private var lock: (any FileLock)?
    /// Nil unless the log is open.
    private var opened: FrameWriter?
    /// The frames to write.
    private var buffer: [UInt8] = []
    /// The index entries after the buffer is written.
    private var moves: [(key: MemberHash, slot: FleetIndex.Slot?)] = []
    private var cleaning = FleetCleaning()
    private var canClean = true

    /// Creates a log. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - segmentSize: The number of bytes after which another segment is begun.
    init(_ folder: LogFolder, segmentSize: Int) {
        self.folder = folder
        self.segmentSize = segmentSize
    }

    var identity: UInt64 { view.withLock { $0.identity } }

    /// Opens the folder, which is created if it does not exist, takes its lock, reads all of it, and cuts off a torn end.
    func open() throws -> [(id: String, due: Int64)] {
        try folder.files.makeFolders(folder.path)
        let lock = try folder.lock()
        do {
            try folder.tidy()
            let (ledger, walk) = try readAll()
            let writer = try walk.writer(identity: UInt64.random(in: 1...UInt64.max), segmentSize: segmentSize) {
                [unowned self] in begin($0)
            }
            view.withLock { view in
                view = FleetView(
                    isOpen: true, identity: writer.segment.identity ?? 0, index: ledger.index,
                    segments: ledger.segments.dropLast() + [writer.segment], end: writer.end, tornEnd: walk.tornEnd,
                    damage: ledger.damage, cleaningFailure: ledger.damage.first)
            }
            self.lock = lock
            opened = writer
            cleaning = FleetCleaning()
            // Damaged logs are not moved: at the end, the intact part would be taken for the whole log.
            canClean = ledger.damage.isEmpty
            return ledger.dues.map { ($0.key.text, $0.value) }
        } catch {
            lock.unlock()
            throw error
        }
    }

    private func readAll() throws -> (FleetLedger, LogWalk) {
        var ledger = FleetLedger()
        var walk = try LogWalk(folder)
        if try walk.firsts.isEmpty && LogKind.store.isFound(in: folder.names()) {
            throw DurabilityError.storage("\(folder.path) has the log of a store, not those of a fleet")
        }
        while let item = try walk.next() {
            switch item {
            case .segment(let segment, let fault):
                if let fault { throw fault }
                ledger.add(segment)
            case .gap(let from, let to, let reason): throw DurabilityError.missing(from: from, to: to, reason: reason)
            case .damage(let reason): discard(try ledger.skipDamage(&walk, reason))
            case .frame(let header, let id): ledger.add(header, id)
            }
        }
        try ledger.checkOrphans()
        return (ledger, walk)
    }

    /// The writer, which continues after a failure.
    private var writer: FrameWriter {
        get throws(DurabilityError) {
            guard let opened else { throw .closed }
            if opened.hasFailed { try opened.mend() }
            return opened
        }
    }

    /// Notes the segment that is written next. It may replace one at the same position.
    private func begin(_ segment: LogSegment) {
        let old = view.withLock { view -> [LogSegment] in
            let old = view.segments
            if old.last?.first == segment.first { view.segments.removeLast() }
            view.segments.append(segment)
            return old
        }
        discard(old)
    }

    // MARK: Reading

    /// Reads the log of a member.
    func read(_ id: String) throws -> MemberLog {
        let key = MemberHash(id)
        let (slot, segments) = try view.withLock { view throws(DurabilityError) in
            guard view.isOpen else { throw .closed }
            let slot = view.index[key]
            if let error = view.damage.error(of: id, newest: slot?.newest) { throw error }
            return (slot, view.segments)
        }
        guard let slot else { return MemberLog() }
        return try FrameChain(of: id, from: slot.newest, to: slot.base, in: segments).log
    }

    /// Returns some of the ids, in the order of their newest frames. The cursor is a position.
    ///
    /// A member that is written meanwhile has its newest frame behind the end that the first round has read, so a second round reads
    /// the frames behind it.
    func ids(after cursor: String?, limit: Int) throws -> (ids: [String], next: String?) {
        var ids: [String] = []
        var position = cursor.flatMap { UInt64($0) } ?? 0
        var known: Set<ExactText> = []
        for isSecondRound in [false, true] {
            if isSecondRound { known = Set(ids.map { ExactText($0) }) }
            let (segments, end) = try view.withLock { view throws(DurabilityError) in
                guard view.isOpen else { throw .closed }
                return (view.segments, view.end)
            }
            position = max(position, segments.first?.first ?? 0)
            while position < end, let segment = segments.segment(of: position) {
                let next = segments.first { $0.first > segment.first }?.first
                var reader = try FrameReader(segment, from: position, to: next ?? end)
                reading: while true {
                    let place = reader.position
                    switch try reader.next() {
                    case .end: break reading
                    case .bad(let reason): _ = try reader.skipDamage(reason) { _ in nil }
                    case .frame(_, let id):
                        let newest = view.withLock { $0.index[MemberHash(id)]?.newest }
                        let isWanted = isSecondRound ? newest != nil && known.insert(ExactText(id)).inserted : newest == place
                        guard isWanted else { continue }
                        ids.append(id)
                        if ids.count >= limit { return (ids, String(reader.position)) }
                    }
                }
                position = next ?? end
            }
        }
        return (ids, nil)
    }

    /// The number of members.
    func count() -> Int { view.withLock { $0.index.count } }

    // MARK: Appending

    func append(_ batch: [MemberAppend], synced isSynced: Bool) throws -> [DurabilityError?] {
        // After an earlier failure, this may throw: then no append is made.
        _ = try writer
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
        guard view.withLock({ $0.index[MemberHash(id)] != nil || $0.damage.error(of: id, newest: nil) != nil }) else {
            return try sync()
        }
        clear()
        try add(MemberLog(), of: id, last: LogFrame.removal, due: nil, behind: nil, base: nil)
        let count = buffer.count
        try write(synced: true)
        view.withLock { $0.damage.remove(id) }
        clean(afterAppending: count)
    }

    func sync() throws { try writer.sync() }

    /// Syncs what can be synced, and releases the lock.
    func close() {
        // A `LogWriter` has synced before, and has reported a failure. This only saves what can be saved now.
        try? sync()
        opened = nil
        lock?.unlock()
        lock = nil
        discard(
            view.withLock { view in
                let old = view
                view = FleetView()
                return old
            })
    }

    private func clear() {
        if buffer.capacity > 1 << 22 { buffer = [] }
        buffer.removeAll(keepingCapacity: true)
        moves.removeAll(keepingCapacity: true)
    }

    private func add(_ entry: MemberAppend) throws(DurabilityError) {
        let key = MemberHash(entry.id)
        let slot = view.withLock { $0.index[key] }
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
        let writer = try writer
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
        let writer = try writer
        try writer.write(buffer, synced: isSynced)
        let moves = moves
        let end = writer.end
        view.withLock { view in
            for move in moves { view.index[move.key] = move.slot }
            view.end = end
        }
    }

    /// Writes the buffer, and syncs it.
    func flush() throws {
        if buffer.isEmpty { return }
        try write(synced: true)
        clear()
    }

    /// Adds the whole log of a new member. ``flush()`` writes the buffer.
    func copy(_ log: MemberLog, of id: String, due: Int64?) throws {
        try add(log, of: id, last: log.last, due: due, behind: nil, base: nil)
        if buffer.count > 1 << 20 { try flush() }
    }

    // MARK: Cleaning

    /// Moves some needed logs from the oldest segments to the end, and removes segments without any.
    private func clean(afterAppending count: Int) {
        guard canClean, let writer = opened else { return }
        let segments = view.withLock { $0.segments }
        guard cleaning.isDue(end: writer.end, segments: segments, segmentSize: UInt64(segmentSize)) else { return }
        clear()
        do {
            var budget = max(1 << 16, 4 * count)
            while budget > 0 {
                switch try cleaning.next(view) {
                case .over(let size):
                    budget -= size
                case .needed(let id, let chain, let size):
                    budget -= size
                    try copy(chain.log, of: id, due: chain.newest.due)
                case .segmentEnds(let segment):
                    try flush()
                    let old = view.withLock { $0.segments.remove(at: 0) }
                    discard(old)
                    try folder.removeSegment(segment.first)
                case .ends:
                    budget = 0
                }
            }
            try flush()
            cleaning.endStep(end: writer.end, segments: view.withLock { $0.segments })
        } catch {
            let failure = DurabilityError(wrapping: error)
            // A failed move changes nothing.
            cleaning = FleetCleaning()
            // A failed write is tried again; damage stays.
            if !writer.hasFailed {
                canClean = false
                view.withLock { $0.cleaningFailure = failure }
            }
        }
    }
}

/// The index and the segments of a fleet's log, for readers and the writer.
struct FleetView: Sendable {
    var isOpen = false
    var identity: UInt64 = 0
    var index = FleetIndex()
    /// The segments in order. The last one is being written.
    var segments: [LogSegment] = []
    /// The position behind the last readable frame.
    var end: UInt64 = 0
    var tornEnd: TornEnd?
    /// The damage that was found when it was opened.
    var damage = FleetDamage()
    var cleaningFailure: DurabilityError?
}

/// Finds the logs in the oldest segments that are still needed. A pass begins when the log is twice as large as after the pass before, and
/// goes through all segments that are complete then.
struct FleetCleaning {
    enum Step {
        /// A frame that is not needed, or not the base of a chain, with its size.
        case over(Int)
        /// The base of a chain, which must be moved.
        case needed(String, FrameChain, Int)
        /// The oldest segment has no more frames.
        case segmentEnds(LogSegment)
        case ends
    }

    /// The position at which the pass ends; nil between passes.
    private var passEnd: UInt64?
    private var reader: FrameReader?
    /// The number of bytes of the log after the last pass.
    private var needed: UInt64 = 0

    /// Begins a pass if it is time, and returns whether one is running.
    mutating func isDue(end: UInt64, segments: [LogSegment], segmentSize: UInt64) -> Bool {
        if passEnd != nil { return true }
        guard let first = segments.first, let last = segments.last, first !== last else { return false }
        guard end - first.first > max(2 * needed, 2 * segmentSize) else { return false }
        passEnd = last.first
        return true
    }

    mutating func next(_ view: borrowing Lock<FleetView>) throws -> Step {
        let segments = view.withLock { $0.segments }
        guard let passEnd, segments.count > 1, segments[0].first < passEnd else { return .ends }
        let segment = segments[0]
        var reader = try self.reader ?? FrameReader(segment, to: segments[1].first)
        let place = reader.position
        let step = try reader.next()
        self.reader = reader
        switch step {
        case .end:
            self.reader = nil
            return .segmentEnds(segment)
        case .bad(let reason):
            throw segment.damage(at: place, reason)
        case .frame(let header, let id):
            guard let slot = view.withLock({ $0.index[MemberHash(id)] }), slot.base == place else { return .over(header.size) }
            let chain = try FrameChain(of: id, from: slot.newest, to: slot.base, in: segments)
            return .needed(id, chain, header.size)
        }
    }

    /// Ends the pass if it has reached its end.
    mutating func endStep(end: UInt64, segments: [LogSegment]) {
        guard let passEnd, let first = segments.first?.first, first >= passEnd else { return }
        self.passEnd = nil
        needed = end - first
    }
}

/// Reads the frames of a log, segment by segment: when a store or a fleet opens its log, and in the tool `moonlight log`.
struct LogWalk {
    enum Item {
        /// The next segment. Its frames follow even if its header is damaged, since each has a checksum.
        case segment(LogSegment, fault: DurabilityError?)
        case frame(LogFrame.Header, id: String)
        /// Bytes of ``segment`` that are not a frame, at ``position``. ``skipDamage(_:_:)`` continues behind them.
        case damage(reason: String)
        /// Missing bytes between two positions.
        case gap(from: UInt64, to: UInt64, reason: String)
    }

    let folder: LogFolder
    /// The first positions of the segments in the folder.
    let firsts: [UInt64]
    /// The identity of the log; nil if no segment with one was read.
    private(set) var identity: UInt64?
    /// The segment that was opened last; nil if there is none.
    private(set) var segment: LogSegment?
    /// The position of the next item.
    private(set) var position: UInt64
    /// The position behind the last intact frame.
    private(set) var end: UInt64 = 0
    /// The position up to which everything was synced, according to the frames.
    private(set) var synced: UInt64 = 0
    /// The torn end of the last segment; nil if its frames are intact, or if there is damage instead.
    private(set) var tornEnd: TornEnd?
    /// The number of segments that were opened or skipped.
    private var number: Int
    /// Nil between two segments.
    private var reader: FrameReader?

    /// Creates a walk. No segment is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the log.
    ///   - identity: The identity that all segments must have; nil for that of the first one.
    ///   - position: The first position to read.
    init(_ folder: LogFolder, identity: UInt64? = nil, from position: UInt64 = 0) throws(DurabilityError) {
        self.folder = folder
        self.identity = identity
        self.position = position
        firsts = try folder.segments()
        number = firsts.lastIndex { $0 <= position } ?? 0
    }

    /// Returns the next item; nil behind the last one.
    mutating func next() throws(DurabilityError) -> Item? {
        while let step = try reader?.next() {
            switch step {
            case .frame(let header, _) where header.isSuccessorMark:
                reader = nil
                // A running writer has begun the next segment since the names were read.
                if try folder.segments().contains(where: { $0 >= position }) { continue }
                return .gap(from: position, to: position, reason: folder.missingSegment(position))
            case .frame(let header, let id):
                position = header.position + UInt64(header.size)
                end = position
                synced = max(synced, header.synced)
                return .frame(header, id: id)
            case .bad(let reason):
                // A segment is begun only when the one before it is durable.
                if number < firsts.count { return .damage(reason: reason) }
                if try reader?.isProvenDamaged() == true { return .damage(reason: reason) }
                tornEnd = reader.map {
                    TornEnd(file: $0.segment.name, offset: $0.segment.offset(of: position), count: $0.rest)
                }
                reader = nil
            case .end:
                let missing = reader.flatMap { $0.end < position ? $0 : nil }
                reader = nil
                if let missing { return .gap(from: missing.end, to: position, reason: "\(missing.segment.name) is too short") }
            }
        }
        return try openNext()
    }

    /// Opens the next segment.
    private mutating func openNext() throws(DurabilityError) -> Item? {
        while number < firsts.count {
            let first = firsts[number]
            if segment != nil, position < first {
                defer { position = first }
                let reason = "\(folder.kind.segment(first)) does not follow the segment before it"
                return .gap(from: position, to: first, reason: reason)
            }
            number += 1
            let found: LogSegment
            var fault: DurabilityError?
            do throws(DurabilityError) { found = try folder.openSegment(first, .reading) } catch {
                // A running writer may have removed the oldest segments meanwhile.
                if error.isMissingFile, segment == nil { continue }
                guard case .damaged(let name, _, _) = error else { throw error }
                fault = error
                found = LogSegment(damaged: try folder.open(name, .reading), name: name, first: first)
            }
            if let other = found.identity {
                guard identity ?? other == other else { throw found.damage(at: first, "it is of another log") }
                identity = other
            }
            segment = found
            position = max(position, first)
            end = position
            reader = try FrameReader(found, from: position, to: number < firsts.count ? firsts[number] : nil)
            return .segment(found, fault: fault)
        }
        return nil
    }

    /// Returns the content of the frame that was read last; nil if it is malformed.
    mutating func log(of header: LogFrame.Header) throws(DurabilityError) -> MemberLog? { try reader?.log(of: header) ?? nil }

    /// Returns the error of damage at a position of the present segment.
    func damage(at position: UInt64, _ reason: String) -> DurabilityError {
        segment?.damage(at: position, reason) ?? .damaged(file: folder.path, offset: 0, reason: reason)
    }

    /// Skips damage up to the next intact frame or the end of the segment.
    ///
    /// - Parameter owner: Returns the id of the frame at a position, if it is its member's newest one so far.
    /// - Returns: The damage, with the affected members; nil between two segments.
    mutating func skipDamage(_ reason: String, _ owner: (UInt64) -> String?) throws(DurabilityError) -> FrameDamage? {
        let found = try reader?.skipDamage(reason, owner)
        position = reader?.position ?? position
        end = position
        return found
    }

    /// Cuts off a torn end, makes everything durable that was read, and returns the writer that continues the log, or begins it.
    ///
    /// - Parameters:
    ///   - identity: The identity of a new log.
    ///   - segmentSize: The number of bytes after which another segment is begun.
    ///   - noteSegment: Called with each segment that is begun.
    func writer(
        identity: UInt64, segmentSize: Int, noteSegment: @escaping (LogSegment) -> Void = { _ in }
    ) throws(DurabilityError) -> FrameWriter {
        let newest: LogSegment
        if let segment {
            newest = try folder.openSegment(segment.first, .writing)
            if let tornEnd { try newest.file.truncate(to: tornEnd.offset) }
            let unproven = max(synced, newest.first)
            if unproven < end { try newest.file.rewrite(from: newest.offset(of: unproven), to: newest.offset(of: end)) }
            try newest.file.sync()
            markPrevious(of: newest)
        } else {
            newest = try folder.makeSegment(0, identity: identity)
        }
        return FrameWriter(folder, segmentSize: segmentSize, newest, end: end, noteSegment: noteSegment)
    }

    /// Marks the segment before the newest one, unless it is. A crash, a failure or an earlier version of the library may have left
    /// it without a mark.
    private func markPrevious(of newest: LogSegment) {
        guard let previous = firsts.last(where: { $0 < newest.first }) else { return }
        // The log is complete without it: a store does not even read a segment that its snapshot includes.
        try? folder.openSegment(previous, .writing).mark(followedBy: newest.first)
    }
}

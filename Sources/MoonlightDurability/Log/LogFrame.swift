/// One append to a log, as it is in a file: a header of 56 bytes, the id, and the body. All numbers are little-endian.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 4 | the number of bytes after the header |
/// | 4 | 4 | the checksum of everything else |
/// | 8 | 8 | the position of the frame |
/// | 16 | 8 | the position of the member's previous frame; 2⁶⁴ - 1 if this one is a base, or of a store |
/// | 24 | 8 | the position up to which everything was synced when this one was written |
/// | 32 | 8 | the last record after this frame; 2⁶⁴ - 1 if the frame removes the member, 2⁶⁴ - 2 in a ``successorMark(at:)`` |
/// | 40 | 8 | the time at which the member is due, in nanoseconds since 1970; 2⁶³ - 1 for never |
/// | 48 | 4 | the number of bytes of the member's id; 0 in a store |
/// | 52 | 4 | the checksum of the position, the number of bytes after the header, the number of bytes of the id, and the id |
///
/// The body is a byte that is 1 if there is a snapshot, the snapshot, the number of records, and the records. A *position* counts the
/// bytes of all frames ever written, so that it stays valid when older segments are removed.
///
/// The fourth field distinguishes a torn end from damage: see ``FrameReader/isProvenDamaged()``. The second checksum identifies the member
/// of a frame that is damaged elsewhere.
///
/// The frames of a fleet's member are a chain, from its newest one back to its *base*, which has a snapshot or the first record. Those of a
/// store follow each other. Its snapshots are separate files, each with one frame. If a frame of a store has no records, the records up
/// to its last one are only in a snapshot, because the log was resumed after a failure.
struct LogFrame {
    static let headerSize = 56
    /// The most bytes that a frame in a segment may have.
    static let largestSize = 1 << 29
    private static let none = UInt64.max
    /// The largest number of a record, so that there is always a next one.
    private static let largestSequence = UInt64(Int64.max)
    /// The last record in a frame that removes a member, and with it all frames before.
    static let removal = UInt64.max
    /// The last record in the mark of a segment that another one follows.
    private static let successor = UInt64.max - 1

    let position: UInt64
    /// The member's previous frame; nil for a base.
    let previous: UInt64?
    let synced: UInt64
    let last: UInt64
    let due: Int64?
    let id: String
    let log: MemberLog

    var isRemoval: Bool { last == Self.removal }

    /// The fields of a header.
    struct Header {
        let count: Int
        let checksum: UInt32
        let position: UInt64
        let previous: UInt64?
        let synced: UInt64
        let last: UInt64
        let due: Int64?
        let idCount: Int
        let idChecksum: UInt32

        /// Reads a header; the buffer must have enough bytes.
        init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
            func number<Number: FixedWidthInteger>(_ place: Int) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
            }
            count = Int(number(0) as UInt32)
            checksum = number(4)
            position = number(8)
            let previous: UInt64 = number(16)
            self.previous = previous == LogFrame.none ? nil : previous
            synced = number(24)
            last = number(32)
            let due: Int64 = number(40)
            self.due = due == .max ? nil : due
            idCount = Int(number(48) as UInt32)
            idChecksum = number(52)
        }

        var size: Int { LogFrame.headerSize + count }
        var isRemoval: Bool { last == LogFrame.removal }
        /// True if the frame belongs to nobody, and says that another segment begins at its position.
        var isSuccessorMark: Bool { last == LogFrame.successor }
        /// True if the numbers are possible for a frame.
        var isPossible: Bool { idCount <= count && (last <= LogFrame.largestSequence || isRemoval || isSuccessorMark) }
    }

    /// Returns the mark of a segment that another one follows.
    ///
    /// It is written behind the frames of the segment once the next segment is durable, which begins at the same position. It is
    /// therefore only read if the next segment is missing.
    ///
    /// - Parameter position: The first position of the next segment.
    static func successorMark(at position: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        LogFrame(position: position, synced: position, last: successor, log: MemberLog()).append(to: &bytes)
        return bytes
    }

    /// Appends the bytes of the frame to a buffer.
    func append(to buffer: inout [UInt8]) {
        let start = buffer.count
        var writer = ByteWriter(bytes: buffer)
        buffer = []
        writer.add(UInt32(0))
        writer.add(UInt32(0))
        writer.add(position)
        writer.add(previous ?? Self.none)
        writer.add(synced)
        writer.add(last)
        writer.add(due ?? .max)
        writer.add(UInt32(id.utf8.count))
        writer.add(UInt32(0))
        writer.bytes.append(contentsOf: id.utf8)
        Self.add(log, to: &writer)
        buffer = writer.bytes
        let idCount = id.utf8.count
        let position = position
        buffer.withUnsafeMutableBytes { bytes in
            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            let checksum = Self.name(frame, idCount: idCount, position: position)
            frame.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
        }
    }

    /// Returns the checksum that identifies the member, even if other bytes of the frame are damaged.
    ///
    /// - Parameters:
    ///   - id: The bytes of the id.
    ///   - position: The position of the frame.
    ///   - count: The number of bytes after the header.
    static func idChecksum(_ id: UnsafeRawBufferPointer, position: UInt64, count: Int) -> UInt32 {
        var checksum = CRC32C()
        withUnsafeBytes(of: position.littleEndian) { checksum.add($0) }
        withUnsafeBytes(of: (UInt32(truncatingIfNeeded: count).littleEndian, UInt32(id.count).littleEndian)) { checksum.add($0) }
        checksum.add(id)
        return checksum.value
    }

    /// Writes the fields of a frame's header that follow from its size and its id.
    ///
    /// - Returns: The checksum of the frame.
    static func name(_ frame: UnsafeMutableRawBufferPointer, idCount: Int, position: UInt64) -> UInt32 {
        let count = frame.count - headerSize
        frame.storeBytes(of: UInt32(count).littleEndian, as: UInt32.self)
        frame.storeBytes(of: UInt32(idCount).littleEndian, toByteOffset: 48, as: UInt32.self)
        let id = UnsafeRawBufferPointer(rebasing: frame[headerSize..<headerSize + idCount])
        let idChecksum = idChecksum(id, position: position, count: count)
        frame.storeBytes(of: idChecksum.littleEndian, toByteOffset: 52, as: UInt32.self)
        return CRC32C.of(UnsafeRawBufferPointer(frame), withoutFieldAt: 4)
    }

    /// Returns the header of the frame that begins at an offset; nil if it is not intact.
    static func header(_ bytes: UnsafeRawBufferPointer, at offset: Int, position: UInt64) -> Header? {
        guard bytes.count - offset >= headerSize else { return nil }
        let header = Header(bytes, at: offset)
        guard header.isPossible, bytes.count - offset >= header.size, header.position == position,
            CRC32C.of(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + header.size]), withoutFieldAt: 4)
                == header.checksum
        else { return nil }
        return header
    }

    /// Reads a frame; nil if the bytes are not an intact frame of that position.
    init?(_ bytes: ArraySlice<UInt8>, position: UInt64) {
        guard let header = bytes.withUnsafeBytes({ Self.header($0, at: 0, position: position) }) else { return nil }
        let body = bytes.dropFirst(Self.headerSize).prefix(header.count)
        guard let id = String(validating: body.prefix(header.idCount), as: UTF8.self),
            let log = Self.log(body.dropFirst(header.idCount))
        else { return nil }
        self.init(header, id: id, log)
    }

    init(_ header: Header, id: String, _ log: MemberLog) {
        self.init(
            position: header.position, previous: header.previous, synced: header.synced, last: header.last, due: header.due,
            id: id, log: log)
    }

    init(
        position: UInt64, previous: UInt64? = nil, synced: UInt64, last: UInt64, due: Int64? = nil, id: String = "",
        log: MemberLog
    ) {
        self.position = position
        self.previous = previous
        self.synced = synced
        self.last = last
        self.due = due
        self.id = id
        self.log = log
    }

    // MARK: The body

    private static func add(_ log: MemberLog, to writer: inout ByteWriter) {
        writer.bytes.append(log.snapshot == nil ? 0 : 1)
        if let snapshot = log.snapshot {
            writer.add(snapshot.sequence)
            writer.add(snapshot.versions.effects)
            writer.add(snapshot.versions.state)
            writer.add(snapshot.versions.reducer)
            writer.add(counted: snapshot.payload)
        }
        writer.add(UInt32(log.records.count))
        for record in log.records {
            writer.add(record.sequence)
            writer.add(record.schema)
            writer.add(counted: record.payload)
        }
    }

    /// Reads a body; nil if it is malformed.
    static func log(_ bytes: ArraySlice<UInt8>) -> MemberLog? {
        var reader = ByteReader(bytes)
        guard let hasSnapshot: UInt8 = reader.number() else { return nil }
        var snapshot: LogSnapshot?
        if hasSnapshot == 1 {
            guard let sequence: UInt64 = reader.number(), let effects: UInt32 = reader.number(),
                let state: UInt32 = reader.number(), let reducer: UInt32 = reader.number(), let payload = reader.counted(),
                sequence <= largestSequence
            else { return nil }
            snapshot = LogSnapshot(
                sequence: sequence, versions: .init(effects: effects, state: state, reducer: reducer), payload: Array(payload))
        }
        guard let count: UInt32 = reader.number() else { return nil }
        var records: [LogRecord] = []
        for _ in 0..<count {
            guard let sequence: UInt64 = reader.number(), let schema: UInt32 = reader.number(), let payload = reader.counted(),
                1...largestSequence ~= sequence
            else { return nil }
            records.append(LogRecord(sequence: sequence, schema: schema, payload: Array(payload)))
        }
        return reader.isAtEnd ? MemberLog(snapshot: snapshot, records: records) : nil
    }
}

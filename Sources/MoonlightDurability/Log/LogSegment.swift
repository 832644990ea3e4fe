import Moonlight

/// The first 48 bytes of a segment or of a snapshot.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 8 | `moonlog` and a line feed |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the checksum of everything else |
/// | 16 | 8 | the identity of the log |
/// | 24 | 8 | the position of the first frame; in a snapshot, the position from which the records after it are read |
/// | 32 | 8 | the time at which it was created, in nanoseconds since 1970 |
/// | 40 | 8 | 0 |
struct SegmentHeader: Hashable, Sendable {
    static let size = 48
    private static let magic = Array("moonlog\n".utf8)
    private static let format: UInt32 = 1

    let identity: UInt64
    let first: UInt64
    private let time: Int64

    init(identity: UInt64, first: UInt64) {
        self.identity = identity
        self.first = first
        time = WallTime.now.sinceEpoch.nanoseconds
    }

    /// Reads a header; nil if it is damaged, or of another format.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = bytes.prefix(Self.size)
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
        var reader = ByteReader(bytes.dropFirst(Self.magic.count))
        guard let format: UInt32 = reader.number(), format == Self.format, let checksum: UInt32 = reader.number(),
            checksum == bytes.withUnsafeBytes({ CRC32C.of($0, withoutFieldAt: 12) }), let identity: UInt64 = reader.number(),
            let first: UInt64 = reader.number(), let time: Int64 = reader.number()
        else { return nil }
        self.identity = identity
        self.first = first
        self.time = time
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(bytes: Self.magic)
        writer.add(Self.format)
        writer.add(UInt32(0))
        writer.add(identity)
        writer.add(first)
        writer.add(time)
        writer.add(UInt64(0))
        writer.bytes.withUnsafeMutableBytes { bytes in
            let checksum = CRC32C.of(UnsafeRawBufferPointer(bytes), withoutFieldAt: 12)
            bytes.storeBytes(of: checksum.littleEndian, toByteOffset: 12, as: UInt32.self)
        }
        return writer.bytes
    }
}

/// A file with a part of a log's frames, behind its ``SegmentHeader``.
final class LogSegment: @unchecked Sendable {
    // Sound: immutable. One thread writes the file, and any thread may read it meanwhile.
    let name: String
    let first: UInt64
    /// The identity of the log; nil if the header is damaged.
    let identity: UInt64?
    let file: any OpenFile

    /// Creates a segment of an open file.
    ///
    /// - Throws: ``DurabilityError`` if the header is damaged, or has another position.
    init(_ file: any OpenFile, name: String, first: UInt64) throws(DurabilityError) {
        guard let header = SegmentHeader(try file.read(SegmentHeader.size, at: 0)[...]) else {
            throw .damaged(file: name, offset: 0, reason: "the header of the segment is malformed")
        }
        guard header.first == first else {
            throw .damaged(file: name, offset: 0, reason: "it is the segment that begins with \(header.first)")
        }
        self.file = file
        self.name = name
        self.first = first
        identity = header.identity
    }

    /// Creates a segment whose header is damaged.
    init(damaged file: any OpenFile, name: String, first: UInt64) {
        self.file = file
        self.name = name
        self.first = first
        identity = nil
    }

    // Here, since readers may use it after its removal from the log.
    deinit { file.close() }

    /// Returns the offset of a position in the file; the nearest one for a position that is invalid.
    func offset(of position: UInt64) -> Int { Int(min(position - min(position, first), 1 << 62)) + SegmentHeader.size }
    /// Returns the position of an offset in the file.
    func position(of offset: Int) -> UInt64 { first + UInt64(offset - SegmentHeader.size) }

    /// Writes durably that another segment follows, which must be durable.
    ///
    /// - Parameter next: The first position of the next segment.
    func mark(followedBy next: UInt64) throws(DurabilityError) {
        let mark = LogFrame.successorMark(at: next)
        if try file.read(mark.count, at: offset(of: next)) == mark { return }
        try file.write(mark, at: offset(of: next))
        try file.sync()
    }

    func damage(at position: UInt64, _ reason: String) -> DurabilityError {
        .damaged(file: name, offset: offset(of: position), reason: reason)
    }
}

extension [LogSegment] {
    /// Returns the segment of a position. The segments must be in order.
    func segment(of position: UInt64) -> LogSegment? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].first <= position { low = middle + 1 } else { high = middle }
        }
        return low == startIndex ? nil : self[low - 1]
    }
}

extension LogFolder {
    /// Opens a segment.
    func openSegment(_ first: UInt64, _ access: FileAccess) throws(DurabilityError) -> LogSegment {
        let name = kind.segment(first)
        let file = try open(name, access)
        do throws(DurabilityError) { return try LogSegment(file, name: name, first: first) } catch {
            file.close()
            throw error
        }
    }

    /// Creates a segment with frames, atomically.
    func makeSegment(_ first: UInt64, identity: UInt64, frames: [UInt8] = []) throws(DurabilityError) -> LogSegment {
        try put(SegmentHeader(identity: identity, first: first).bytes + frames, as: kind.segment(first))
        return try openSegment(first, .writing)
    }

    /// Returns the reason of an error for a segment that is not there.
    func missingSegment(_ first: UInt64) -> String { "the segment \(kind.segment(first)) is missing" }

    func removeSegment(_ first: UInt64) throws(DurabilityError) {
        try remove(kind.segment(first))
        // Synced each time: if a crash brought back an older segment and not a newer one, the positions would have a gap.
        try sync()
    }
}

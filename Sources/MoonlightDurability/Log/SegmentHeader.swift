import Moonlight

/// The first 48 bytes of a segment: a file with a part of a log.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 8 | `moonlog`, or `moonflt` of a fleet, and a line feed |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the checksum of everything else |
/// | 16 | 8 | the identity of the log |
/// | 24 | 8 | the sequence of the first record, or the position of the first frame |
/// | 32 | 8 | the time at which it was created, in nanoseconds since 1970 |
/// | 40 | 4 | 1 if it was begun after a failure, with a snapshot; otherwise 0 |
/// | 44 | 4 | 0 |
struct SegmentHeader: Hashable, Sendable {
    enum Kind: String {
        case store = "moonlog\n"
        case fleet = "moonflt\n"
    }

    static let size = 48
    private static let format: UInt32 = 1

    let kind: Kind
    let identity: UInt64
    let first: UInt64
    let made: Int64
    let isRestart: Bool

    init(_ kind: Kind, identity: UInt64, first: UInt64, isRestart: Bool = false) {
        self.kind = kind
        self.identity = identity
        self.first = first
        self.isRestart = isRestart
        made = WallTime.now.sinceEpoch.nanoseconds
    }

    /// Reads the header of a segment.
    ///
    /// - Parameters:
    ///   - first: The first record or position, according to the file's name.
    ///   - name: The name of the file, for an error.
    init(of file: any OpenFile, _ kind: Kind, first: UInt64, name: String) throws(DurabilityError) {
        func damage(_ reason: String) -> DurabilityError { .damaged(file: name, offset: 0, sequence: first, reason: reason) }
        let bytes = try file.read(Self.size, at: 0)
        var reader = ByteReader(bytes.dropFirst(8))
        guard bytes.count == Self.size, bytes.starts(with: kind.rawValue.utf8), let format: UInt32 = reader.number(),
            format == Self.format, let checksum: UInt32 = reader.number(), checksum == CRC32C.of(bytes[..<12] + bytes[16...]),
            let identity: UInt64 = reader.number(), let found: UInt64 = reader.number(), let made: Int64 = reader.number(),
            let flags: UInt32 = reader.number()
        else { throw damage("the header of the segment is malformed") }
        guard found == first else { throw damage("it is the segment that begins with \(found)") }
        self.kind = kind
        self.identity = identity
        self.first = first
        self.made = made
        isRestart = flags & 1 != 0
    }

    var bytes: [UInt8] {
        var head = ByteWriter(bytes: Array(kind.rawValue.utf8))
        head.add(Self.format)
        var tail = ByteWriter()
        tail.add(identity)
        tail.add(first)
        tail.add(made)
        tail.add(UInt32(isRestart ? 1 : 0))
        tail.add(UInt32(0))
        head.add(CRC32C.of(head.bytes + tail.bytes))
        return head.bytes + tail.bytes
    }
}

/// The first 48 bytes of a segment, a file that has a part of the log.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 8 | `moonlog` and a line feed |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the checksum of everything else |
/// | 16 | 8 | the identity of the log |
/// | 24 | 8 | the sequence of the first record |
/// | 32 | 8 | when it was made, in nanoseconds since 1970 |
/// | 40 | 4 | 1 if it was begun after a failure, with a snapshot; otherwise 0 |
/// | 44 | 4 | 0 |
struct SegmentHeader: Hashable, Sendable {
    static let size = 48
    static let format: UInt32 = 1
    private static let magic = Array("moonlog\n".utf8)

    let identity: UInt64
    let first: UInt64
    let made: Int64
    let isRestart: Bool

    init(identity: UInt64, first: UInt64, made: Int64, isRestart: Bool) {
        self.identity = identity
        self.first = first
        self.made = made
        self.isRestart = isRestart
    }

    /// Reads a header; nil if it is none, or one of another format.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else { return nil }
        var reader = ByteReader(bytes[8...])
        guard let format: UInt32 = reader.number(), format == Self.format, let checksum: UInt32 = reader.number(),
            checksum == CRC32C.of(bytes[..<12] + bytes[16...]), let identity: UInt64 = reader.number(),
            let first: UInt64 = reader.number(), let made: Int64 = reader.number(), let flags: UInt32 = reader.number()
        else { return nil }
        self.init(identity: identity, first: first, made: made, isRestart: flags & 1 != 0)
    }

    var bytes: [UInt8] {
        var head = ByteWriter(bytes: Self.magic)
        head.add(Self.format)
        var tail = ByteWriter()
        tail.add(identity)
        tail.add(first)
        tail.add(made)
        tail.add(UInt32(isRestart ? 1 : 0))
        tail.add(UInt32(0))
        let checksum = CRC32C.of(head.bytes + tail.bytes)
        head.add(checksum)
        return head.bytes + tail.bytes
    }
}

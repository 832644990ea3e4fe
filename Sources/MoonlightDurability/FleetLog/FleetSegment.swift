/// A file that has a part of the frames of a fleet, and the first 40 bytes of it.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 8 | `moonflt` and a line feed |
/// | 8 | 4 | the version of the format |
/// | 12 | 4 | the checksum of everything else |
/// | 16 | 8 | the identity of the fleet's logs |
/// | 24 | 8 | the position of the first frame |
/// | 32 | 8 | when it was made, in nanoseconds since 1970 |
final class FleetSegment: @unchecked Sendable {
    // Sound: immutable; the file is written by one thread, and a file of the system may be read by any others meanwhile.
    static let headerSize = 40
    private static let format: UInt32 = 1
    private static let magic = Array("moonflt\n".utf8)

    let first: UInt64
    let identity: UInt64
    let file: any OpenFile

    /// Opens a segment; the file must have a whole header of that position.
    init(_ file: any OpenFile, name: String, first: UInt64) throws {
        self.file = file
        self.first = first
        let bytes = try file.read(Self.headerSize, at: 0)
        var reader = ByteReader(bytes.dropFirst(8))
        guard bytes.count == Self.headerSize, bytes.starts(with: Self.magic), let format: UInt32 = reader.number(),
            format == Self.format, let checksum: UInt32 = reader.number(), checksum == CRC32C.of(bytes[..<12] + bytes[16...]),
            let identity: UInt64 = reader.number(), let found: UInt64 = reader.number(), found == first
        else {
            throw DurabilityError.damaged(
                file: name, offset: 0, sequence: first, reason: "the header of the segment is not what was written")
        }
        self.identity = identity
    }

    /// A segment whose header is damaged; its identity is 0.
    init(damaged file: any OpenFile, first: UInt64) {
        self.file = file
        self.first = first
        identity = 0
    }

    // Readers may have it longer than it is part of the log.
    deinit { file.close() }

    /// Where in the file a position is.
    func offset(of position: UInt64) -> Int { Int(position - first) + Self.headerSize }
    /// The position of a place in the file.
    func position(of offset: Int) -> UInt64 { first + UInt64(offset - Self.headerSize) }

    static func header(identity: UInt64, first: UInt64, made: Int64) -> [UInt8] {
        var head = ByteWriter(bytes: magic)
        head.add(format)
        var tail = ByteWriter()
        tail.add(identity)
        tail.add(first)
        tail.add(made)
        head.add(CRC32C.of(head.bytes + tail.bytes))
        return head.bytes + tail.bytes
    }
}

extension [FleetSegment] {
    /// The segment that has a position, of segments in order.
    func segment(of position: UInt64) -> FleetSegment? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].first <= position { low = middle + 1 } else { high = middle }
        }
        return low == startIndex ? nil : self[low - 1]
    }
}

/// The names of the files in the folder of a fleet: those of a log (``FolderNames``), but for the segments, which are named after the
/// position of their first frame, as `00000000000000000000.fleet`.
enum FleetNames {
    static func segment(_ first: UInt64) -> String { FolderNames.digits(first) + FolderNames.fleetSegment }

    /// The first positions of the segments among the files, in order.
    static func segments(in names: [String]) -> [UInt64] {
        names.compactMap { FolderNames.number($0, FolderNames.fleetSegment) }.sorted()
    }
}

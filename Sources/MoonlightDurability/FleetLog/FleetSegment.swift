/// A file that has a part of the frames of a fleet, behind its ``SegmentHeader``.
final class FleetSegment: @unchecked Sendable {
    // Sound: immutable; the file is written by one thread, and a file of the system may be read by any others meanwhile.
    static let headerSize = SegmentHeader.size

    let first: UInt64
    let identity: UInt64
    let file: any OpenFile

    /// Opens a segment; the file must have a whole header of that position.
    init(_ file: any OpenFile, name: String, first: UInt64) throws(DurabilityError) {
        self.file = file
        self.first = first
        identity = try SegmentHeader(of: file, .fleet, first: first, name: name).identity
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

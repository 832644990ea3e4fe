/// A file with a part of a fleet's frames, behind its ``SegmentHeader``.
final class FleetSegment: @unchecked Sendable {
    // Sound: immutable. One thread writes the file, and any thread may read it meanwhile.
    static let headerSize = SegmentHeader.size

    let first: UInt64
    let identity: UInt64
    let file: any OpenFile

    /// Opens a segment. The file must have an intact header of that position.
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

    // Here, since readers may use it after its removal from the log.
    deinit { file.close() }

    /// Returns the offset of a position in the file.
    func offset(of position: UInt64) -> Int { Int(position - first) + Self.headerSize }
    /// Returns the position of an offset in the file.
    func position(of offset: Int) -> UInt64 { first + UInt64(offset - Self.headerSize) }
}

extension [FleetSegment] {
    /// Returns the segment of a position. The segments must be in order.
    func segment(of position: UInt64) -> FleetSegment? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].first <= position { low = middle + 1 } else { high = middle }
        }
        return low == startIndex ? nil : self[low - 1]
    }
}

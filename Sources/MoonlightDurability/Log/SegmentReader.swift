/// Reads the records of one segment, one after another. Only a window of the file is in memory.
struct SegmentReader {
    /// What stands next in the segment.
    enum Step {
        case record(LogRecord, synced: UInt64)
        case end
        /// Something that is not the next record.
        case bad(reason: String)
    }

    private let file: any OpenFile
    /// Where the next record begins.
    private(set) var offset = SegmentHeader.size
    /// The sequence that the next record must have.
    private(set) var expected: UInt64
    private let size: Int
    private var window: [UInt8] = []
    private var windowStart = 0
    private static let windowSize = 1 << 18

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - first: The sequence of the first record.
    init(_ file: any OpenFile, first: UInt64) throws(DurabilityError) {
        self.file = file
        expected = first
        size = try file.size()
    }

    /// How many bytes are left from ``offset`` on.
    var rest: Int { max(0, size - offset) }

    mutating func next() throws(DurabilityError) -> Step {
        guard rest > 0 else { return .end }
        guard let (record, synced) = try record(at: offset) else { return .bad(reason: try reason(at: offset)) }
        guard record.sequence == expected else { return .bad(reason: "it is record \(record.sequence)") }
        offset += RecordFormat.headerSize + record.payload.count
        expected += 1
        return .record(record, synced: synced)
    }

    /// Returns whether something after the bad place proves that the record which should be there had been durable: a whole later
    /// record that was written when that one had been synced.
    ///
    /// - Parameter sequence: Only records after this one count.
    mutating func isProvenDamaged(after sequence: UInt64 = 0) throws(DurabilityError) -> Bool {
        let lowest = max(expected, sequence + 1)
        var place = offset + 1
        while size - place >= RecordFormat.headerSize {
            try load(place, RecordFormat.headerSize)
            let first = place - windowStart
            let last = window.count - RecordFormat.headerSize
            // The sequence alone rules out nearly all places.
            let found = window.withUnsafeBytes { bytes -> Int? in
                for start in first...last {
                    let found = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
                    if found >= lowest, found - expected <= UInt64(size) { return start }
                }
                return nil
            }
            guard let found else {
                place = windowStart + last + 1
                continue
            }
            place = windowStart + found
            if let (record, synced) = try record(at: place), record.sequence >= lowest, synced >= expected { return true }
            place += 1
        }
        return false
    }

    /// Returns the record that begins at an offset, if it is whole.
    private mutating func record(at offset: Int) throws(DurabilityError) -> (LogRecord, synced: UInt64)? {
        guard size - offset >= RecordFormat.headerSize else { return nil }
        try load(offset, RecordFormat.headerSize)
        let header = window.withUnsafeBytes { RecordFormat.Header($0, at: offset - windowStart) }
        guard header.count <= RecordFormat.largestPayload, size - offset >= header.size else { return nil }
        try load(offset, header.size)
        let start = offset - windowStart
        let isWhole = window.withUnsafeBytes {
            RecordFormat.checksum(UnsafeRawBufferPointer(rebasing: $0[start..<start + header.size])) == header.checksum
        }
        guard isWhole else { return nil }
        let payload = Array(window[start + RecordFormat.headerSize..<start + header.size])
        return (LogRecord(sequence: header.sequence, schema: header.schema, payload: payload), header.synced)
    }

    private mutating func reason(at offset: Int) throws(DurabilityError) -> String {
        guard rest >= RecordFormat.headerSize else { return "its header is cut off" }
        try load(offset, RecordFormat.headerSize)
        let header = window.withUnsafeBytes { RecordFormat.Header($0, at: offset - windowStart) }
        return header.count > RecordFormat.largestPayload || rest < header.size ? "it is cut off" : "its checksum is wrong"
    }

    /// Makes sure that bytes are in the window. The file must have them.
    private mutating func load(_ offset: Int, _ count: Int) throws(DurabilityError) {
        if offset >= windowStart, offset + count <= windowStart + window.count { return }
        window = try file.read(min(max(count, Self.windowSize), size - offset), at: offset)
        windowStart = offset
        // The file has become shorter since it was measured.
        if window.count < count { throw DurabilityError.file(.read, path: nil, .device) }
    }
}

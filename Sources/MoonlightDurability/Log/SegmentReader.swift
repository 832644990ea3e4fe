/// Reads the records of one segment, one after another. Only a window of the file is in memory.
struct SegmentReader {
    /// The next item of the segment.
    enum Step {
        case record(LogRecord, synced: UInt64)
        case end
        /// Bytes that are not the next record.
        case bad(reason: String)
    }

    private var window: FileWindow
    /// The offset of the next record.
    private(set) var offset = SegmentHeader.size
    /// The number that the next record must have.
    private(set) var expected: UInt64

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - first: The number of the first record.
    init(_ file: any OpenFile, first: UInt64) throws(DurabilityError) {
        window = FileWindow(file, to: try file.size())
        expected = first
    }

    /// The number of bytes from ``offset`` on.
    var rest: Int { max(0, window.end - offset) }

    mutating func next() throws(DurabilityError) -> Step {
        guard rest > 0 else { return .end }
        guard let (record, synced) = try record(at: offset) else { return .bad(reason: try reason(at: offset)) }
        guard record.sequence == expected else { return .bad(reason: "it is record \(record.sequence)") }
        offset += RecordFormat.headerSize + record.payload.count
        expected += 1
        return .record(record, synced: synced)
    }

    /// Returns whether a later record proves that the bad one had been durable: an intact one that was written when the bad one had been
    /// synced.
    ///
    /// - Parameter sequence: Only records after this one count.
    mutating func isProvenDamaged(after sequence: UInt64 = 0) throws(DurabilityError) -> Bool {
        let lowest = max(expected, sequence + 1)
        let expected = expected
        let size = UInt64(window.end)
        var place = offset + 1
        // The number alone rules out nearly all offsets.
        while let found = try window.firstHeader(
            of: RecordFormat.headerSize, from: place, where: { number, _ in number >= lowest && number - expected <= size })
        {
            if let (record, synced) = try record(at: found), record.sequence >= lowest, synced >= expected { return true }
            place = found + 1
        }
        return false
    }

    /// Returns the record that begins at an offset, if it is intact.
    private mutating func record(at offset: Int) throws(DurabilityError) -> (LogRecord, synced: UInt64)? {
        guard let header = try header(at: offset) else { return nil }
        return try window.read(header.size, at: offset) { bytes -> (LogRecord, synced: UInt64)? in
            guard CRC32C.of(bytes, withoutFieldAt: 4) == header.checksum else { return nil }
            let payload = Array(bytes[RecordFormat.headerSize...])
            return (LogRecord(sequence: header.sequence, schema: header.schema, payload: payload), header.synced)
        }
    }

    /// Returns the header at an offset, if the file has a record of its size.
    private mutating func header(at offset: Int) throws(DurabilityError) -> RecordFormat.Header? {
        guard window.end - offset >= RecordFormat.headerSize else { return nil }
        let header = try window.read(RecordFormat.headerSize, at: offset) { RecordFormat.Header($0, at: 0) }
        return header.count <= RecordFormat.largestPayload && window.end - offset >= header.size ? header : nil
    }

    private mutating func reason(at offset: Int) throws(DurabilityError) -> String {
        guard rest >= RecordFormat.headerSize else { return "its header is cut off" }
        return try header(at: offset) == nil ? "it is cut off" : "its checksum is wrong"
    }
}

/// The format of a record in a file: a header of 28 bytes, and the payload. All numbers are little-endian.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 4 | the number of bytes of the payload |
/// | 4 | 4 | the checksum of everything else |
/// | 8 | 8 | the record's sequence |
/// | 16 | 8 | the last record known to be synced when this one was written |
/// | 24 | 4 | the version of the schema |
///
/// The fourth field distinguishes a torn end from damage. A disk may keep a later write and lose an earlier one while neither is
/// synced. So an intact record behind a bad one proves damage only if it says that the bad one had been synced.
enum RecordFormat {
    static let headerSize = 28
    /// The most bytes that a payload may have.
    static let largestPayload = 1 << 28

    struct Header {
        let count: Int
        let checksum: UInt32
        let sequence: UInt64
        let synced: UInt64
        let schema: UInt32

        /// Reads a header; the buffer must have enough bytes.
        init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
            func number<Number: FixedWidthInteger>(_ place: Int) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
            }
            count = Int(number(0) as UInt32)
            checksum = number(4)
            sequence = number(8)
            synced = number(16)
            schema = number(24)
        }

        var size: Int { headerSize + count }
    }

    /// Appends a record to a buffer.
    static func append(_ record: LogRecord, synced: UInt64, to buffer: inout [UInt8]) {
        let count = UInt32(record.payload.count).littleEndian
        // The fields after the checksum.
        let fields = (record.sequence.littleEndian, synced.littleEndian, record.schema.littleEndian)
        var checksum = CRC32C()
        withUnsafeBytes(of: count) { checksum.add($0) }
        withUnsafeBytes(of: fields) { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<20])) }
        record.payload.withUnsafeBytes { checksum.add($0) }
        withUnsafeBytes(of: count) { buffer.append(contentsOf: $0) }
        withUnsafeBytes(of: checksum.value.littleEndian) { buffer.append(contentsOf: $0) }
        withUnsafeBytes(of: fields) { buffer.append(contentsOf: $0[..<20]) }
        buffer.append(contentsOf: record.payload)
    }
}

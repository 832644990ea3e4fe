/// Writes numbers and texts as bytes, little-endian.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Adds the number of bytes, and the bytes.
    mutating func add(counted more: some Collection<UInt8>) {
        add(UInt32(truncatingIfNeeded: more.count))
        bytes.append(contentsOf: more)
    }

    mutating func add(_ text: String) { add(counted: Array(text.utf8)) }
}

/// Reads the bytes of a ``ByteWriter``. Each method returns nil if too few bytes are left, or if they are invalid.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var place: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }
    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    var isAtEnd: Bool { place == bytes.endIndex }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.endIndex - place >= size else { return nil }
        defer { place += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: place - bytes.startIndex, as: Number.self))
        }
    }

    mutating func counted() -> ArraySlice<UInt8>? {
        guard let count = number(UInt32.self).map(Int.init), bytes.endIndex - place >= count else { return nil }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func text() -> String? { counted().flatMap { String(validating: $0, as: UTF8.self) } }
}

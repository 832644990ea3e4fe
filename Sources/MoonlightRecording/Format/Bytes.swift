/// A writer of numbers and texts as bytes. Numbers have seven bits in each byte, the lowest first.
struct ByteSink {
    private(set) var bytes: [UInt8] = []

    mutating func add(byte: UInt8) { bytes.append(byte) }

    mutating func add(_ number: Int) {
        var rest = UInt64(bitPattern: Int64(number))
        while rest >= 128 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a signed number; numbers near zero take few bytes.
    mutating func add(signed number: Int) { add((number << 1) ^ (number >> (Int.bitWidth - 1))) }

    mutating func add(_ text: String) { add(counted: text.utf8) }

    mutating func add(counted more: some Collection<UInt8>) {
        add(more.count)
        bytes.append(contentsOf: more)
    }

    mutating func add(_ more: [UInt8]) { bytes.append(contentsOf: more) }
}

/// A reader of bytes that a ``ByteSink`` has written. Input is not trusted: missing or invalid data is an error with the position
/// of the byte.
struct ByteSource {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    /// The offset of the first byte in the file, for errors.
    private let offset: Int

    init(_ bytes: ArraySlice<UInt8>, at offset: Int) {
        self.bytes = bytes
        place = bytes.startIndex
        self.offset = offset
    }

    var isAtEnd: Bool { place == bytes.endIndex }
    var left: Int { bytes.endIndex - place }
    /// The offset of the next byte in the file.
    var position: Int { offset + place - bytes.startIndex }

    func damaged(_ reason: String) -> RecordingError { .damaged(byte: position, reason: reason) }

    mutating func byte() throws(RecordingError) -> UInt8 {
        guard place < bytes.endIndex else { throw damaged("it ends too early") }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() throws(RecordingError) -> Int {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw damaged("a number is too large") }
            number |= UInt64(byte & 127) << shift
            if byte < 128 { return Int(truncatingIfNeeded: Int64(bitPattern: number)) }
            shift += 7
        }
    }

    mutating func signed() throws(RecordingError) -> Int {
        let number = UInt64(bitPattern: Int64(try number()))
        return Int(truncatingIfNeeded: Int64(bitPattern: (number >> 1))) ^ -Int(number & 1)
    }

    /// Reads a count of items that follow, each of at least a given number of bytes.
    mutating func count(each size: Int = 1) throws(RecordingError) -> Int {
        let count = try number()
        guard count >= 0, count <= left / size else { throw damaged("\(count) items cannot follow in \(left) bytes") }
        return count
    }

    mutating func counted() throws(RecordingError) -> ArraySlice<UInt8> {
        let count = try count()
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func text() throws(RecordingError) -> String {
        let start = position
        guard let text = String(validating: try counted(), as: UTF8.self) else {
            throw .damaged(byte: start, reason: "a text is not UTF-8")
        }
        return text
    }
}

/// The checksum of a frame: FNV-1a with 64 bits. It detects disk errors and truncation, and not manipulation.
enum Checksum {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Puts scalars together to the characters that a reader sees, such as a letter and its accents, or a family of emoji.
///
/// The last character is kept, because the next scalar may belong to it.
struct TypedText: Sendable {
    /// The longest character, in scalars. What is longer is no text.
    private static let longest = 32
    private var kept = ""
    private var count = 0

    /// Takes a scalar.
    ///
    /// - Returns: The character before it, if the scalar does not belong to that one.
    mutating func take(_ scalar: Unicode.Scalar) -> Character? {
        guard count > 0 else {
            keep(scalar)
            return nil
        }
        // Most of what is typed: a letter behind a letter.
        let isSeparate = scalar.isASCII || count >= Self.longest || !belongs(scalar)
        guard isSeparate else {
            kept.unicodeScalars.append(scalar)
            count += 1
            return nil
        }
        let character = end()
        keep(scalar)
        return character
    }

    /// Returns the character that was kept.
    mutating func end() -> Character? {
        guard count > 0 else { return nil }
        count = 0
        defer { kept.removeAll(keepingCapacity: true) }
        return kept.first
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        kept.unicodeScalars.append(scalar)
        count = 1
    }

    private func belongs(_ scalar: Unicode.Scalar) -> Bool {
        var longer = kept
        longer.unicodeScalars.append(scalar)
        return longer.count == 1
    }
}

/// Collects pasted text until its end marker, `ESC [ 201 ~`, in pieces of a limited size.
struct PastedText: Sendable {
    private static let marker = Array("\u{1B}[201~".utf8)

    /// What a byte has led to.
    enum Step: Equatable {
        case goOn
        /// A piece is full; more follows.
        case piece(String)
        /// The paste is over.
        case end(String)
    }

    private let longest: Int
    private var bytes: [UInt8] = []
    /// How many bytes of the marker have just come.
    private var matched = 0
    /// Indicates whether the last byte was a carriage return: a line feed behind it belongs to it.
    private var isAfterReturn = false

    init(longest: Int) { self.longest = longest }

    /// Takes a byte.
    mutating func take(_ byte: UInt8) -> Step {
        if byte == Self.marker[matched] {
            matched += 1
            guard matched == Self.marker.count else { return .goOn }
            defer { self = PastedText(longest: longest) }
            return .end(String(decoding: bytes, as: UTF8.self))
        }
        // What looked like the marker is text.
        let before = Self.marker.prefix(matched)
        matched = 0
        for byte in before { append(byte) }
        if byte == Self.marker[0] { matched = 1 } else { append(byte) }
        return bytes.count >= longest ? .piece(takePiece()) : .goOn
    }

    /// Lines end in a line feed, whatever the terminal makes of them.
    private mutating func append(_ byte: UInt8) {
        defer { isAfterReturn = byte == 0x0D }
        if byte == 0x0A, isAfterReturn { return }
        bytes.append(byte == 0x0D ? 0x0A : byte)
    }

    /// Takes all that is there but the beginning of a character at the end.
    private mutating func takePiece() -> String {
        var end = bytes.count
        if let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[start] >= 0xC0 {
            let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
            if start + length > end { end = start }
        }
        defer { bytes.removeFirst(end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

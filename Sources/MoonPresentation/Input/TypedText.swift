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

/// A text in a picture: its lines, broken where they are too long, and how large it is.
struct PictureText {
    /// The size of the font, a monospaced one, whose characters are 0.6 as wide as it is high.
    static let fontSize = 12.0
    static let lineHeight = 15.0

    let lines: [String]
    var width: Double { 0.6 * Self.fontSize * Double(lines.map(Self.columns).max() ?? 0) }
    var height: Double { Self.lineHeight * Double(lines.count) }

    /// Breaks a text into lines.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - columns: The number of columns of a line; a line is broken after a blank, if it has one in its second half.
    ///   - mostLines: The number of lines; if there are more, the last one ends with an ellipsis.
    init(_ text: String, columns: Int, mostLines: Int) {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line[...]
            while Self.columns(rest) > columns {
                let head = Self.beginning(of: rest, columns: columns)
                let blank = head.lastIndex(of: " ").map { head.index(after: $0) }
                let cut = blank.flatMap { 2 * Self.columns(head[..<$0]) > columns ? $0 : nil } ?? head.endIndex
                lines.append(String(rest[..<cut]))
                rest = rest[cut...]
            }
            lines.append(String(rest))
        }
        if lines.count > mostLines {
            lines.removeSubrange(mostLines...)
            lines[mostLines - 1] = Self.beginning(of: lines[mostLines - 1][...], columns: columns - 1) + "…"
        }
        self.lines = lines
    }

    /// The longest beginning of a text that fits into some columns, of at least one character.
    private static func beginning(of text: Substring, columns: Int) -> Substring {
        var (end, used) = (text.startIndex, 0)
        while end < text.endIndex {
            used += width(of: text[end])
            if used > columns, end > text.startIndex { break }
            end = text.index(after: end)
        }
        return text[..<end]
    }

    private static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// Two for characters of East Asia and pictures, one for others.
    private static func width(of character: Character) -> Int {
        (character.unicodeScalars.first?.value ?? 0) >= 0x1100 && !(0x2000...0x2E7F ~= character.unicodeScalars.first!.value)
            ? 2 : 1
    }

    /// A text as XML has it. Control characters, which XML forbids, are shown by their pictures.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "\n"
            case "\u{0}"..."\u{1F}": escaped.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? " ")
            case "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

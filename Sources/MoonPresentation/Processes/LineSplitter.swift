/// Splits bytes that arrive in pieces into lines, in bounded memory.
struct LineSplitter: Sendable {
    private let longest: Int
    private var kept: [UInt8] = []
    private var isCut = false
    private var hasBegun = false

    /// - Parameter longest: How many bytes of a line are kept.
    init(longest: Int = 1 << 20) { self.longest = longest }

    /// A line, without its end.
    struct Line: Equatable {
        var text: String
        /// Indicates whether it was longer than is kept.
        var isCut: Bool
    }

    /// Takes bytes.
    ///
    /// - Returns: The lines that are complete.
    mutating func takeLines(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            lines.append(line(rest[..<end]))
            rest = rest[(end + 1)...]
        }
        guard !rest.isEmpty else { return lines }
        hasBegun = true
        keep(rest)
        return lines
    }

    /// The texts of the lines that are complete.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [String] { takeLines(bytes).map(\.text) }

    /// What is left at the end: the last line, if it had no end of its own.
    mutating func endLine() -> Line? { hasBegun ? line([]) : nil }

    /// The text of the last line, if it had no end of its own.
    mutating func end() -> [String] { endLine().map { [$0.text] } ?? [] }

    private mutating func line(_ last: ArraySlice<UInt8>) -> Line {
        defer { (kept, isCut, hasBegun) = ([], false, false) }
        if kept.isEmpty, last.count <= longest { return Line(text: Self.text(last), isCut: isCut) }
        keep(last)
        return Line(text: Self.text(kept[...], isWhole: !isCut), isCut: isCut)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        let room = longest - kept.count
        kept.append(contentsOf: bytes.prefix(room))
        if bytes.count > room { isCut = true }
    }

    private static func text(_ bytes: ArraySlice<UInt8>, isWhole: Bool = true) -> String {
        String(decoding: isWhole && bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    }
}

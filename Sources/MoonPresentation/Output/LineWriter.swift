/// Writes frames as lines of plain text, without any control sequence: for pipes, for `TERM=dumb`, and for screen readers.
struct LineWriter {
    /// When a frame is written.
    enum Policy {
        /// Each time, those of its lines that the frame before did not have. For screen readers and dumb terminals.
        case changes
        /// Once, at the end. For pipes and files.
        case last
    }

    let policy: Policy
    private var shown: [String] = []
    private var cursorRow: Int?

    init(_ policy: Policy) { self.policy = policy }

    /// The bytes that write committed lines, and what is new in a frame.
    ///
    /// Frames of boxes and lines that consist of nothing else are left out, and lines that have only lost the marker in front of them.
    /// The line with the cursor is written last.
    mutating func bytes(for canvas: Canvas, committing lines: [StyledText] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in lines.flatMap(\.lines) { Self.append(line.string, to: &bytes) }
        let rows = (0..<canvas.size.rows).map { policy == .last ? canvas.rowText($0) : Self.spoken(canvas.rowText($0)) }
        defer { (shown, cursorRow) = (rows, canvas.cursor?.row) }
        guard policy == .changes, rows != shown || canvas.cursor?.row != cursorRow else { return bytes }
        let before = Set(shown).union(shown.compactMap(Self.withoutMarker))
        let cursor = canvas.cursor.map(\.row).flatMap { rows.indices.contains($0) ? $0 : nil }
        for (index, row) in rows.enumerated() where index != cursor && !row.isEmpty && !before.contains(row) {
            Self.append(row, to: &bytes)
        }
        if let cursor, !rows[cursor].isEmpty, cursor != cursorRow || !before.contains(rows[cursor]) {
            Self.append(rows[cursor], to: &bytes)
        }
        return bytes
    }

    /// The bytes that end the output: the last frame, if none was written.
    mutating func end() -> [UInt8] {
        var bytes: [UInt8] = []
        guard policy == .last else { return bytes }
        let end = (shown.lastIndex { !$0.isEmpty } ?? -1) + 1
        for row in shown[..<end].drop(while: \.isEmpty) { Self.append(row, to: &bytes) }
        shown = []
        return bytes
    }

    private static func append(_ line: String, to bytes: inout [UInt8]) {
        VisibleText.scan(line) { part in
            bytes.append(part, of: line)
            return true
        }
        bytes.append(0x0A)
    }

    /// A row without the marker that tells it from other rows, such as `> ` in front of the selected one; nil if it has none.
    private static func withoutMarker(_ row: String) -> String? {
        guard let first = row.first, !first.isLetter, !first.isNumber, row.dropFirst().first == " " else { return nil }
        return String(row.dropFirst(2))
    }

    /// A row without what is drawn around text.
    private static func spoken(_ row: String) -> String {
        func isDrawn(_ character: Character) -> Bool {
            guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
            return scalar == " " || (0x2500...0x259F).contains(scalar.value)
        }
        let end = row.lastIndex { !isDrawn($0) }.map(row.index(after:)) ?? row.startIndex
        return String(row[..<end].drop(while: isDrawn))
    }
}

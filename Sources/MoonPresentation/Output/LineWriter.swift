/// Writes frames as plain lines, without control sequences: for pipes, `TERM=dumb` and screen readers.
struct LineWriter {
    /// The frames that are written.
    enum Policy {
        /// Of each frame, the lines that the previous one did not have. For screen readers and dumb terminals.
        case changes
        /// The last frame only. For pipes and files.
        case last
    }

    let policy: Policy
    private var shown: [String] = []
    private var cursorRow: Int?

    init(_ policy: Policy) { self.policy = policy }

    /// The bytes of committed lines and of the new lines of a frame.
    ///
    /// Borders are left out, and so are lines that have only lost the marker in front. The line with the cursor is written last.
    mutating func bytes(for canvas: Canvas, committing lines: [StyledText] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in lines.flatMap(\.lines) { append(line.string, to: &bytes) }
        let rows = (0..<canvas.size.rows).map { policy == .last ? canvas.rowText($0) : Self.spoken(canvas.rowText($0)) }
        defer { (shown, cursorRow) = (rows, canvas.cursor?.row) }
        guard policy == .changes, rows != shown || canvas.cursor?.row != cursorRow else { return bytes }
        let before = Set(shown).union(shown.compactMap(Self.withoutMarker))
        let cursor = canvas.cursor.map(\.row).flatMap { rows.indices.contains($0) ? $0 : nil }
        for (index, row) in rows.enumerated() where index != cursor && !row.isEmpty && !before.contains(row) {
            append(row, to: &bytes)
        }
        if let cursor, !rows[cursor].isEmpty, cursor != cursorRow || !before.contains(rows[cursor]) {
            append(rows[cursor], to: &bytes)
        }
        return bytes
    }

    /// The bytes at the end of the output: the last frame, by the policy.
    mutating func end() -> [UInt8] {
        var bytes: [UInt8] = []
        guard policy == .last else { return bytes }
        let end = (shown.lastIndex { !$0.isEmpty } ?? -1) + 1
        for row in shown[..<end].drop(while: \.isEmpty) { append(row, to: &bytes) }
        shown = []
        return bytes
    }

    private func append(_ line: String, to bytes: inout [UInt8]) {
        VisibleText.scan(line) { part in
            bytes.append(part, of: line)
            return true
        }
        // A terminal in raw mode, as at the other end of a connection, needs both characters.
        if policy == .changes { bytes.append(0x0D) }
        bytes.append(0x0A)
    }

    /// A row without the marker in front, such as `> ` of the selected row; nil if it has none.
    private static func withoutMarker(_ row: String) -> String? {
        guard let first = row.first, !first.isLetter, !first.isNumber, row.dropFirst().first == " " else { return nil }
        return String(row.dropFirst(2))
    }

    /// A row without the box drawing around its text.
    private static func spoken(_ row: String) -> String {
        func isDrawn(_ character: Character) -> Bool {
            guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
            return scalar == " " || (0x2500...0x259F).contains(scalar.value)
        }
        let end = row.lastIndex { !isDrawn($0) }.map(row.index(after:)) ?? row.startIndex
        return String(row[..<end].drop(while: isDrawn))
    }
}

/// The rows in which text that can be edited is shown: it is wrapped behind blanks, or within a word that is longer than a row.
///
/// Unlike ``StyledText/wrapped(to:)`` it leaves nothing out, so that the cursor can stand everywhere.
struct TextRows {
    /// The rows, in bytes of UTF-8, without the line breaks between them. There is at least one.
    private(set) var ranges: [Range<Int>] = []
    private let width: Int

    /// Wraps text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - width: The columns of a row, at least 1.
    init(_ text: String, width: Int) {
        self.width = max(1, width)
        var start = 0
        while true {
            let end = text.lineEnd(at: start)
            wrap(text.utf8Slice(start..<end), at: start)
            guard end < text.utf8.count else { return }
            start = end + 1
        }
    }

    private mutating func wrap(_ line: Substring, at offset: Int) {
        let bytes = line.utf8
        var (start, columns) = (0, 0)
        // Behind the last blank of the row.
        var stop: (place: Int, columns: Int)?
        VisibleText.scan(line) { part in
            let isTabulator =
                part.scalar == 0x20 && bytes[bytes.index(bytes.startIndex, offsetBy: part.source.lowerBound)] == 0x09
            // The columns of a tabulator depend on its place in the row.
            func taken() -> Int {
                isTabulator ? min(width, VisibleText.tabulator - columns % VisibleText.tabulator) : part.columns
            }
            // Twice if the word does not fit on a row of its own either.
            while columns + taken() > width, part.source.lowerBound > start {
                let place = stop?.place ?? part.source.lowerBound
                ranges.append(offset + start..<offset + place)
                columns -= stop?.columns ?? columns
                (start, stop) = (place, nil)
            }
            columns += taken()
            if part.scalar == 0x20 { stop = (part.source.upperBound, columns) }
            return true
        }
        ranges.append(offset + start..<offset + line.utf8.count)
    }

    /// The row in which a place is shown. Between two rows of one line it is the beginning of the second one.
    func row(of offset: Int) -> Int { max(0, (ranges.lastIndex { $0.lowerBound <= offset }) ?? 0) }

    /// The column at which a place is shown. That behind a character that is wider than a row is the row's end.
    func column(of offset: Int, in text: String) -> Int {
        let range = ranges[row(of: offset)]
        return min(width, text.utf8Slice(range.lowerBound..<min(offset, max(range.upperBound, range.lowerBound))).columns)
    }

    /// The place of the character at a column of a row, or the end of the row.
    func offset(row: Int, column: Int, in text: String) -> Int {
        let range = ranges[max(0, min(row, ranges.count - 1))]
        let offset = range.lowerBound + Self.offset(of: column, in: text.utf8Slice(range))
        // The end of a row that is not the end of its line is shown at the beginning of the next one.
        let isWrapped = ranges.indices.contains(row + 1) && ranges[row + 1].lowerBound == range.upperBound
        if isWrapped, offset == range.upperBound, !range.isEmpty { return text.characterBoundary(at: offset - 1, .down) }
        return offset
    }

    /// The place of the character at a column of a line, or the end of it.
    static func offset(of column: Int, in line: Substring) -> Int {
        var (columns, offset) = (0, 0)
        VisibleText.scan(line) { part in
            guard columns + part.columns <= column else { return false }
            columns += part.columns
            offset = part.source.upperBound
            return true
        }
        return offset
    }
}

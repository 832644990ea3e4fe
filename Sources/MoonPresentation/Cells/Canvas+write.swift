extension Canvas {
    /// Writes text into one row.
    ///
    /// Control characters, marks without a character, and controls of the direction of text are made visible, so that text
    /// from anywhere can be written. A tabulator becomes blanks up to the next multiple of 8 columns of the text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - point: Where it begins; that may be outside of the canvas.
    ///   - style: How it looks.
    ///   - clip: The cells that may change; nil for all.
    /// - Returns: The columns that the text takes, up to the right edge of what may change; 0 if its row may not change.
    @discardableResult
    package mutating func write(_ text: some StringProtocol, at point: Point, style: Style = .plain, clip: Rect? = nil) -> Int {
        let area = clip.map { bounds.intersection($0) } ?? bounds
        guard area.rows.contains(point.row), point.column < area.columns.upperBound else { return 0 }
        var writer = RowWriter(style: cell(of: style), columns: area.columns, column: point.column)
        let start = point.row * size.columns
        let first = max(point.column, area.columns.lowerBound)
        let cutsWide = first > 0 && first < area.columns.upperBound && cells[start + first].glyph.isContinuation
        let isASCII = cells.withUnsafeMutableBufferPointer { cells in
            let row = UnsafeMutableBufferPointer(rebasing: cells[start..<(start + size.columns)])
            return text.utf8.withContiguousStorageIfAvailable { writer.putASCII($0, into: row) } == true
        }
        if !isASCII { writeParts(of: text, by: &writer, from: start) }
        // Wide characters that have lost a half become blanks.
        let next = writer.column
        guard next > first else { return next &- point.column }
        if cutsWide { cells[start + first - 1].glyph = .space }
        if next < size.columns, cells[start + next].glyph.isContinuation, !cells[start + next - 1].glyph.isWide {
            cells[start + next].glyph = .space
        }
        return next &- point.column
    }

    /// Writes text with other characters than those of ASCII. Apart, because most text has none.
    @inline(never)
    private mutating func writeParts(of text: some StringProtocol, by writer: inout RowWriter, from start: Int) {
        var lent = CellPool()
        swap(&lent, &pool)
        let width = size.columns
        cells.withUnsafeMutableBufferPointer { cells in
            let row = UnsafeMutableBufferPointer(rebasing: cells[start..<(start + width)])
            VisibleText.scan(text) { part in writer.put(part, of: text, into: row, &lent) }
        }
        swap(&lent, &pool)
        if pool.count > 2 * cells.count + 64 { compact() }
    }

    /// Writes text of several styles into one row. See ``write(_:at:style:clip:)``.
    @discardableResult
    package mutating func write(_ text: StyledText, at point: Point, clip: Rect? = nil) -> Int {
        var column = point.column
        for run in text.runs {
            column += write(run.text, at: Point(column: column, row: point.row), style: run.style, clip: clip)
        }
        return column - point.column
    }

    /// A blank of a style.
    mutating func cell(of style: Style) -> Cell {
        Cell(
            glyph: .space, foreground: style.foreground.bits, background: style.background.bits,
            attributes: style.attributes.rawValue, link: style.link.map { pool.number(ofLink: $0) } ?? 0)
    }

    /// Forgets the clusters and links that no cell has any more.
    private mutating func compact() {
        var kept = CellPool()
        for index in cells.indices { cells[index] = kept.adopt(cells[index], from: pool) }
        pool = kept
    }
}

/// Writes the pieces of a text into the cells of a row.
private struct RowWriter {
    /// A blank of the text's style.
    let style: Cell
    /// The columns that may change.
    let columns: Range<Int>
    /// Where the next piece stands.
    var column: Int

    /// Writes text of printable ASCII, as most text is, in a loop without a decision. Returns false if the text has something else.
    mutating func putASCII(_ bytes: UnsafeBufferPointer<UInt8>, into row: UnsafeMutableBufferPointer<Cell>) -> Bool {
        let count = min(bytes.count, columns.upperBound &- column)
        guard count >= 0 else { return false }
        // The byte behind the last one could belong to its character.
        var others: UInt8 = 0
        for byte in bytes[..<min(bytes.count, count + 1)] { others |= byte &- 0x20 > 0x5E ? 1 : 0 }
        guard others == 0 else { return false }
        let first = max(0, columns.lowerBound &- column)
        if first < count {
            var cell = style
            for index in first..<count {
                cell.glyph = Glyph(scalar: UInt32(bytes[index]))
                row[column &+ index] = cell
            }
        }
        column &+= count
        return true
    }

    /// Writes a piece. Returns false if nothing more can be seen.
    @inline(__always)
    mutating func put(
        _ part: VisiblePart, of text: some StringProtocol, into row: UnsafeMutableBufferPointer<Cell>, _ pool: inout CellPool
    ) -> Bool {
        let end = column &+ part.columns
        var cell = style
        if end <= columns.upperBound, column >= columns.lowerBound, part.scalar != 0, part.columns < 3 {
            if part.scalar == 0x20 {
                for index in column..<end { row[index] = cell }
            } else {
                cell.glyph = Glyph(
                    scalar: part.scalar, isWide: part.columns == 2, isDoubtful: part.isDoubtful, isJoining: part.isJoining)
                row[column] = cell
                if part.columns == 2 {
                    cell.glyph = .continuation
                    row[column + 1] = cell
                }
            }
        } else {
            putEdge(part, of: text, into: row, &pool)
        }
        column = min(end, columns.upperBound)
        return end < columns.upperBound
    }

    /// Writes a cluster, a tabulator, or a piece that is cut by an edge.
    @inline(never)
    private mutating func putEdge(
        _ part: VisiblePart, of text: some StringProtocol, into row: UnsafeMutableBufferPointer<Cell>, _ pool: inout CellPool
    ) {
        let visible = (column..<(column + part.columns)).clamped(to: columns)
        guard !visible.isEmpty else { return }
        guard part.scalar == 0, visible.count == part.columns else {
            for index in visible { row[index] = style }
            return
        }
        let start = text.utf8.index(text.startIndex, offsetBy: part.source.lowerBound)
        let end = text.utf8.index(start, offsetBy: part.source.count)
        let shown = VisibleText.shown(Substring(text[start..<end]), isLone: part.isLone)
        var cell = style
        cell.glyph = Glyph(
            cluster: pool.place(ofCluster: shown), isWide: part.columns == 2, isDoubtful: part.isDoubtful,
            isJoining: part.isJoining)
        row[column] = cell
        guard part.columns == 2 else { return }
        cell.glyph = .continuation
        row[column + 1] = cell
    }
}

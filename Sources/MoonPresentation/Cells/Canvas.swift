/// A grid of cells, on which views draw: a frame.
///
/// ```swift
/// #expect(pilot.frame.rows[0] == "> milk")
/// #expect(pilot.frame.style(at: Point(column: 2, row: 0)) == .bold)
/// ```
/// A wide character takes two cells. If one of them is overwritten or clipped, the other becomes a blank. Text cannot control the
/// terminal: control characters are shown as pictures.
public struct Canvas: Sendable {
    /// The number of cells.
    public private(set) var size: Size
    /// The cell of the terminal's cursor; nil if it is hidden.
    public package(set) var cursor: Point?

    /// The cells, row by row.
    var cells: [Cell]
    /// The clusters and links of the cells.
    var pool = CellPool()

    /// Creates an empty canvas.
    ///
    /// - Parameter size: The size, at most ``limit``.
    package init(size: Size) {
        self.size = Self.bounded(size)
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
    }

    /// The largest size, which is larger than any screen: a wrong size that a terminal reports must not exhaust memory.
    package static let limit = Size(columns: 2_000, rows: 1_000)

    /// Empties and resizes the canvas. Its memory is reused, so that a frame need not allocate.
    package mutating func reset(size: Size) {
        self.size = Self.bounded(size)
        cursor = nil
        pool.removeAll()
        let count = self.size.columns * self.size.rows
        if count > 0, cells.count == count {
            let columns = self.size.columns
            // Copied row by row as memory, which takes a third of the time of a loop over the cells.
            cells.withUnsafeMutableBufferPointer { cells in
                guard let first = cells.baseAddress else { return }
                first.update(repeating: .blank, count: columns)
                for start in stride(from: columns, to: count, by: columns) { (first + start).update(from: first, count: columns) }
            }
        } else {
            cells.removeAll(keepingCapacity: true)
            cells.append(contentsOf: repeatElement(.blank, count: count))
        }
    }

    /// The size of the canvas for a screen.
    static func bounded(_ size: Size) -> Size {
        Size(columns: min(size.columns, limit.columns), rows: min(size.rows, limit.rows))
    }

    /// All cells.
    package var bounds: Rect { Rect(origin: .zero, size: size) }

    /// The character of a cell: empty for the second half of a wide character, nil outside of the canvas.
    package func text(at point: Point) -> String? {
        guard bounds.contains(point) else { return nil }
        return text(of: cells[point.row * size.columns + point.column])
    }

    /// The style of a cell; plain outside of the canvas.
    public func style(at point: Point) -> Style {
        guard bounds.contains(point) else { return .plain }
        return style(of: cells[point.row * size.columns + point.column])
    }

    /// Indicates whether a cell is a blank whose style cannot be seen.
    package func looksBlank(at point: Point) -> Bool {
        !bounds.contains(point) || cells[point.row * size.columns + point.column].looksBlank
    }

    func text(of cell: Cell) -> String {
        if cell.glyph.isContinuation { return "" }
        if cell.glyph.isCluster { return pool.clusters[Int(cell.glyph.value)] }
        return Unicode.Scalar(cell.glyph.value).map(String.init) ?? ""
    }

    func style(of cell: Cell) -> Style {
        Style(
            foreground: Color(bits: cell.foreground), background: Color(bits: cell.background),
            attributes: Style.Attributes(rawValue: cell.attributes), link: pool.link(cell.link))
    }
}

extension Canvas: Equatable {
    /// Indicates whether two canvases have the same size, cells and cursor. O(cells).
    public static func == (one: Canvas, other: Canvas) -> Bool {
        guard one.size == other.size, one.cursor == other.cursor else { return false }
        if one.pool.matches(other.pool) { return one.cells == other.cells }
        return zip(one.cells, other.cells).allSatisfy {
            $0.glyph.isWide == $1.glyph.isWide && one.text(of: $0) == other.text(of: $1)
                && one.style(of: $0) == other.style(of: $1)
        }
    }
}

extension Canvas {
    /// The text of each row without trailing blanks, for tests.
    ///
    /// ```swift
    /// #expect(pilot.frame.rows.prefix(2) == ["Notes", "> milk"])
    /// ```
    public var rows: [String] { (0..<size.rows).map(rowText) }

    /// The text of a row without trailing blanks.
    package func rowText(_ row: Int) -> String {
        let cells = self.cells[row * size.columns..<(row + 1) * size.columns]
        let end = (cells.lastIndex { $0.glyph != .space } ?? cells.startIndex - 1) + 1
        var text = ""
        for cell in cells[cells.startIndex..<end] { text += self.text(of: cell) }
        return text
    }
}

extension Canvas {
    /// Fills a rectangle with a character.
    ///
    /// - Parameters:
    ///   - rect: The cells to fill, clipped to the canvas.
    ///   - character: The character. A wide one fills two columns at a time; an odd last column becomes blank.
    ///   - style: The style of the cells.
    package mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
        let area = bounds.intersection(rect)
        guard !area.isEmpty else { return }
        var (text, width) = (String(character), String(character).columns)
        if width == 0 { (text, width) = (" ", 1) }
        let line = String(repeating: text, count: area.size.columns / width) + (area.size.columns % width == 0 ? "" : " ")
        for row in area.rows { write(line, at: Point(column: area.origin.column, row: row), style: style, clip: area) }
    }

    /// Changes the styles of the cells of a rectangle, for example of a selection. Wide characters change as a whole.
    ///
    /// ```swift
    /// canvas.restyle(row) { $0.attributes.insert(.inverse) }
    /// ```
    package mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = bounds.intersection(rect)
        guard !area.isEmpty else { return }
        var last: (before: Cell, after: Cell)?
        for row in area.rows {
            let start = row * size.columns
            var (first, end) = (start + area.columns.lowerBound, start + area.columns.upperBound)
            if cells[first].glyph.isContinuation { first -= 1 }
            if end < start + size.columns, cells[end].glyph.isContinuation { end += 1 }
            for index in first..<end {
                if let last, last.before.hasStyle(of: cells[index]) {
                    cells[index] = last.after.with(cells[index].glyph)
                } else {
                    var style = style(of: cells[index])
                    change(&style)
                    let (before, after) = (cells[index], cell(of: style))
                    last = (before, after)
                    cells[index] = after.with(before.glyph)
                }
            }
        }
    }
}

extension Cell {
    /// The cell with another glyph.
    func with(_ glyph: Glyph) -> Cell {
        var cell = self
        cell.glyph = glyph
        return cell
    }
}

extension Canvas {
    /// Writes text into one row.
    ///
    /// Control characters, lone marks and direction controls are made visible, so that text from any source is safe. A tab
    /// becomes blanks up to the next multiple of 8 columns of the text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - point: The first cell, which may be outside of the canvas.
    ///   - style: The style of the text.
    ///   - clip: The cells that may change; nil for all.
    /// - Returns: The columns that the text takes, up to the right edge of `clip`; 0 if its row is outside of `clip`.
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

    /// Writes text with non-ASCII characters. A separate function, because most text has none.
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
}

/// Writes the pieces of a text into the cells of a row.
private struct RowWriter {
    /// A blank of the text's style.
    let style: Cell
    /// The columns that may change.
    let columns: Range<Int>
    /// The column of the next piece.
    var column: Int

    /// Writes printable ASCII, as most text is, in a loop without branches. Returns false if the text has other characters.
    mutating func putASCII(_ bytes: UnsafeBufferPointer<UInt8>, into row: UnsafeMutableBufferPointer<Cell>) -> Bool {
        let count = min(bytes.count, columns.upperBound &- column)
        guard count >= 0 else { return false }
        // A combining mark behind the last byte would belong to its character.
        var others: UInt8 = 0
        for index in 0..<min(bytes.count, count + 1) { others |= bytes[index] &- 0x20 > 0x5E ? 1 : 0 }
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

    /// Writes a piece. Returns false once the right edge is reached.
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

    /// Writes a cluster, a tab, or a piece that an edge cuts.
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

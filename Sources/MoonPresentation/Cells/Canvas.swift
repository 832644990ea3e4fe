/// A grid of cells, on which views draw: a frame.
///
/// ```swift
/// #expect(pilot.frame.rows[0] == "> milk")
/// #expect(pilot.frame.style(at: Point(column: 2, row: 0)) == .bold)
/// ```
/// A wide character takes two cells, and is never shown in half: where its other half is overwritten or clipped, it becomes a blank.
/// Nothing that is written steers the terminal: control characters are shown as pictures.
public struct Canvas: Sendable {
    /// The number of cells.
    public private(set) var size: Size
    /// The cell of the terminal's cursor; nil if it is hidden.
    public var cursor: Point?

    /// The cells, row by row.
    var cells: [Cell]
    /// What the cells refer to.
    var pool = CellPool()

    /// Creates an empty canvas.
    ///
    /// - Parameter size: Its size, which is cut if it is larger than any screen.
    package init(size: Size) {
        self.size = Self.bounded(size)
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
    }

    /// The largest size, which is larger than any screen: a terminal that reports a wrong size must not take all memory.
    package static let limit = Size(columns: 2_000, rows: 1_000)

    /// Empties the canvas, and gives it another size. Its memory is used again, so that a frame need not allocate.
    package mutating func reset(size: Size) {
        self.size = Self.bounded(size)
        cursor = nil
        pool.removeAll()
        let count = self.size.columns * self.size.rows
        if cells.count == count {
            cells.withUnsafeMutableBufferPointer { $0.update(repeating: .blank) }
        } else {
            cells.removeAll(keepingCapacity: true)
            cells.append(contentsOf: repeatElement(.blank, count: count))
        }
    }

    private static func bounded(_ size: Size) -> Size {
        Size(columns: min(size.columns, limit.columns), rows: min(size.rows, limit.rows))
    }

    /// All cells.
    package var bounds: Rect { Rect(origin: .zero, size: size) }

    /// The character of a cell: empty for the second half of a wide one, and nil outside of the canvas.
    public func text(at point: Point) -> String? {
        guard bounds.contains(point) else { return nil }
        return text(of: cells[point.row * size.columns + point.column])
    }

    /// The style of a cell; plain outside of the canvas.
    public func style(at point: Point) -> Style {
        guard bounds.contains(point) else { return .plain }
        return style(of: cells[point.row * size.columns + point.column])
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
    /// The text of each row, without the blanks at its end: for tests.
    ///
    /// ```swift
    /// #expect(pilot.frame.rows.prefix(2) == ["Notes", "> milk"])
    /// ```
    public var rows: [String] { (0..<size.rows).map(rowText) }

    /// The text of a row, without the blanks at its end.
    package func rowText(_ row: Int) -> String {
        let cells = self.cells[row * size.columns..<(row + 1) * size.columns]
        let end = (cells.lastIndex { $0.glyph != .space } ?? cells.startIndex - 1) + 1
        var text = ""
        for cell in cells[cells.startIndex..<end] { text += self.text(of: cell) }
        return text
    }
}

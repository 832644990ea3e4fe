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

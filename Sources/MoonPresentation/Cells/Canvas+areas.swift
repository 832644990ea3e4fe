extension Canvas {
    /// Fills a rectangle with a character.
    ///
    /// - Parameters:
    ///   - rect: The cells to fill; what lies outside of the canvas is left out.
    ///   - character: The character. A wide one fills two columns at a time, and a blank the last one of an odd number.
    ///   - style: How it looks.
    package mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
        let area = bounds.intersection(rect)
        guard !area.isEmpty else { return }
        var (text, width) = (String(character), String(character).columns)
        if width == 0 { (text, width) = (" ", 1) }
        let line = String(repeating: text, count: area.size.columns / width) + (area.size.columns % width == 0 ? "" : " ")
        let first = area.rows.lowerBound
        write(line, at: area.origin, style: style, clip: area)
        // The other rows are copies of the first.
        for row in area.rows.dropFirst() {
            breakWide(at: area.columns.lowerBound, row: row)
            breakWide(at: area.columns.upperBound, row: row)
            for column in area.columns { cells[row * size.columns + column] = cells[first * size.columns + column] }
        }
    }

    /// Changes the styles of the cells of a rectangle, such as those of a selection. Wide characters change as a whole.
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

    /// Blanks a wide character that has a half on both sides of a column's left edge.
    private mutating func breakWide(at column: Int, row: Int) {
        guard column > 0, column < size.columns else { return }
        let index = row * size.columns + column
        guard cells[index].glyph.isContinuation else { return }
        cells[index - 1].glyph = .space
        cells[index].glyph = .space
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

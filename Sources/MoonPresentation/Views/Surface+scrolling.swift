extension Surface {
    /// Saves the scroll position.
    func keep(offset: Point) {
        var memory = memory
        guard memory.offset != offset else { return }
        memory.offset = offset
        self.memory = memory
    }

    /// Scrolls rows so that a row is visible, if the row or the height has changed since the last frame.
    ///
    /// - Parameters:
    ///   - row: The row; nil for none.
    ///   - count: The number of rows.
    ///   - key: The value whose change reveals the row; nil for the row itself.
    ///   - height: The number of visible rows; nil for that of the view.
    /// - Returns: The first visible row.
    func scrollRows(to row: Int?, of count: Int, key: Int? = nil, height: Int? = nil) -> Int {
        var memory = memory
        let height = height ?? size.rows
        var top = memory.offset.row
        if let row = row.map(Cells.clamped), memory.revealed != key ?? row || memory.mark != height {
            top = max(min(top, row), row - height + 1)
            memory.revealed = key ?? row
        }
        top = max(0, min(top, count - height))
        memory.mark = height
        memory.offset = Point(column: memory.offset.column, row: top)
        if memory != self.memory { self.memory = memory }
        return top
    }

    /// Draws a vertical scroll bar in the last column.
    ///
    /// - Parameters:
    ///   - top: The first visible row.
    ///   - count: The number of rows.
    ///   - rows: The rows of the view that scroll; nil for all.
    func drawScrollBar(_ top: Int, of count: Int, rows: Range<Int>? = nil) {
        let rows = rows ?? 0..<size.rows
        guard count > rows.count, !rows.isEmpty, size.columns > 0 else { return }
        let thumb = ScrollThumb(first: top, count: count, length: rows.count)
        for row in rows {
            let isThumb = thumb.range.contains(row - rows.lowerBound)
            write(isThumb ? "┃" : "│", at: Point(column: size.columns - 1, row: row), style: isThumb ? .plain : .dim)
        }
    }

    /// Draws a horizontal scroll bar below a room.
    func drawHorizontalScrollBar(_ first: Int, of count: Int, _ room: Size) {
        guard count > room.columns, room.columns > 0, room.rows < size.rows else { return }
        let thumb = ScrollThumb(first: first, count: count, length: room.columns)
        for column in 0..<room.columns {
            let isThumb = thumb.range.contains(column)
            write(isThumb ? "━" : "─", at: Point(column: column, row: room.rows), style: isThumb ? .plain : .dim)
        }
    }

    /// Scrolls to the view that has just received the focus.
    ///
    /// - Parameters:
    ///   - index: The first region of the content.
    ///   - room: The visible part of the content.
    func revealFocus(behind index: Int, in room: Size) {
        var memory = memory
        guard let region = regions.all[index...].last(where: { $0.node == stage.focus && $0.node != node }) else {
            if memory.revealed != nil {
                memory.revealed = nil
                self.memory = memory
            }
            return
        }
        guard memory.revealed != region.node else { return }
        memory.revealed = region.node
        // Its place without scrolling.
        let row = region.rect.origin.row - rect.origin.row + memory.offset.row
        let column = region.rect.origin.column - rect.origin.column + memory.offset.column
        let offset = Point(
            column: min(max(memory.offset.column, column + region.rect.size.columns - room.columns), column),
            row: min(max(memory.offset.row, row + region.rect.size.rows - room.rows), row))
        if offset != memory.offset { stage.isScrolled = true }
        memory.offset = offset
        self.memory = memory
    }
}

/// The thumb of a scroll bar.
struct ScrollThumb {
    let range: Range<Int>

    /// Places the thumb, which touches an end of the bar only if there is nothing more in that direction.
    ///
    /// - Parameters:
    ///   - first: The first visible row.
    ///   - count: The number of rows.
    ///   - length: The number of visible rows, which is the length of the bar.
    init(first: Int, count: Int, length: Int) {
        let size = max(1, length * length / max(1, count))
        let last = max(1, count - length)
        var start = first * (length - size) / last
        if first > 0, start == 0, length > size { start = 1 }
        if first < last, start == length - size, start > 1 { start -= 1 }
        range = start..<start + size
    }
}

extension ViewMemory {
    /// Scrolls rows by the mouse wheel.
    ///
    /// - Returns: False for another action, and if all rows are visible: then the wheel is for the view around this one.
    mutating func scrollRows(by action: Mouse.Action, limit: Int) -> Bool {
        switch action {
        case .wheel(0, let notches) where limit > 0:
            let rows = 3 * max(-limit, min(limit, notches))
            offset = Point(column: offset.column, row: max(0, min(limit, offset.row + rows)))
        default: return false
        }
        return true
    }
}

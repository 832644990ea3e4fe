/// The rows that lists, tables and trees share: one may be selected, and those that can be seen are drawn.
struct RowList<Event: Sendable>: Sendable {
    let count: Int
    let selected: Int?
    /// The event of a move; nil if nothing can be selected, so that keys scroll.
    let select: (@Sendable (ListMove) -> Event)?
    /// The event of Enter; nil if Enter is not wanted.
    let open: Event?
    let showsScrollBar: Bool
    let look: SelectionLook
    /// Answers to keys and clicks of its own, before others are considered: with the row, for a click.
    var extra: (@Sendable (InputEvent, Int?) -> [Event]?)?

    /// The columns in front of the rows, in which a marker may stand; none if no row is ever selected.
    var indent: Int { select == nil && selected == nil ? 0 : look.indent }

    /// Draws rows below a header, and takes input.
    ///
    /// - Parameters:
    ///   - surface: The view.
    ///   - header: The rows of the header.
    ///   - drawRow: Draws the row with an index on its part of the view, which is behind the marker's.
    func draw(on surface: inout Surface<Event>, header: Int = 0, _ drawRow: (Int, Surface<Event>) -> Void) {
        let height = max(0, surface.size.rows - header)
        let width = max(0, surface.size.columns - (showsScrollBar && count > height ? 1 : 0))
        let top = surface.scrollRows(to: selected, of: count, height: height)
        let visible = surface.visible.rows.clamped(to: header..<header + height)
        for row in visible where top + row - header < count {
            let index = top + row - header
            drawRow(index, surface.part(Rect(column: indent, row: row, columns: max(0, width - indent), rows: 1)))
            if index == selected { look.draw(on: surface.part(Rect(column: 0, row: row, columns: width, rows: 1))) }
        }
        if showsScrollBar { surface.drawScrollBar(top, of: count, rows: header..<header + height) }
        surface.onInput { input, memory in events(of: input, &memory, header: header, height: height) }
    }

    private func events(of input: InputEvent, _ memory: inout ViewMemory, header: Int, height: Int) -> [Event]? {
        /// How far the rows can be scrolled.
        let limit = max(0, count - height)
        var row: Int?
        if case .mouse(let mouse) = input {
            if memory.scrollRows(by: mouse.action, limit: limit) { return [] }
            let index = memory.offset.row + mouse.point.row - header
            if mouse.point.row >= header, index < count { row = index }
        }
        if let events = extra?(input, row) { return events }
        switch input {
        case .key(.enter): return open.map { [$0] }
        case .key(let key):
            guard let move = ListMove(key, page: height) else { return nil }
            if let select { return [select(move)] }
            memory.offset = Point(
                column: memory.offset.column, row: move.index(from: memory.offset.row, count: limit + 1))
            return []
        case .mouse(let mouse):
            guard case .press(1) = mouse.action, let row, let select else { return nil }
            return [select(.to(row))]
        default: return nil
        }
    }
}

/// What lists, tables and trees share: rows of which one may be selected, and what they send.
@usableFromInline
struct RowList<Event: Sendable>: Sendable {
    var rows: SelectableRows
    // Arrays of one event, so that the layout does not depend on the type of events, and handlers answer with them.

    /// The event of a move; nil if nothing can be selected, so that keys scroll.
    var select: (@Sendable (ListMove) -> [Event])?
    /// The event of Enter; none if Enter is not wanted.
    var open: [Event]
    /// Answers to keys and clicks of its own, before others are thought of: with the row, for a click.
    var extra: (@Sendable (InputEvent, Int?) -> [Event]?)?

    @inline(__always)
    init(
        count: Int, selected: Int?, select: (@Sendable (ListMove) -> [Event])?, open: [Event], showsScrollBar: Bool,
        look: SelectionLook
    ) {
        rows = SelectableRows(
            count: count, selected: selected, showsScrollBar: showsScrollBar, look: look,
            indent: select == nil && selected == nil ? 0 : look.indent)
        self.select = select
        self.open = open
    }

    init(
        count: Int, selected: Int?, select: (@Sendable (ListMove) -> Event)?, open: Event?, showsScrollBar: Bool,
        look: SelectionLook
    ) {
        self.init(
            count: count, selected: selected, select: select.map(Self.answering), open: open.map { [$0] } ?? [],
            showsScrollBar: showsScrollBar, look: look)
    }

    /// The answer to a move.
    @inlinable
    static func answering(_ select: @escaping @Sendable (ListMove) -> Event) -> @Sendable (ListMove) -> [Event] {
        { [select($0)] }
    }

    /// Draws rows below a header. See ``SelectableRows/draw(on:header:_:)``.
    @inline(__always)
    func draw(on surface: inout Surface<Event>, header: Int = 0, _ drawRow: (Int, Patch) -> Void) {
        let window = rows.draw(on: surface.patch, header: header, drawRow)
        surface.patch.onInput { [select, open, extra] input, memory in
            window.events(of: input, &memory, select, open, extra)
        }
    }
}

/// Rows of which one may be selected, without what they send: those that can be seen are drawn.
struct SelectableRows: Sendable {
    let count: Int
    let selected: Int?
    let showsScrollBar: Bool
    let look: SelectionLook
    /// The columns in front of the rows, in which a marker may stand; none if no row is ever selected.
    let indent: Int

    /// Draws rows below a header.
    ///
    /// - Parameters:
    ///   - patch: The view.
    ///   - header: The rows of the header.
    ///   - drawRow: Draws the row with an index on its part of the view, which is behind the marker's.
    /// - Returns: Which of the rows can be seen.
    func draw(on patch: Patch, header: Int, _ drawRow: (Int, Patch) -> Void) -> RowWindow {
        let height = max(0, patch.size.rows - header)
        let width = max(0, patch.size.columns - (showsScrollBar && count > height ? 1 : 0))
        let top = patch.scrollRows(to: selected, of: count, height: height)
        let visible = patch.visible.rows.clamped(to: header..<header + height)
        for row in visible where top + row - header < count {
            let index = top + row - header
            drawRow(index, patch.part(Rect(column: indent, row: row, columns: max(0, width - indent), rows: 1)))
            if index == selected { look.draw(on: patch.part(Rect(column: 0, row: row, columns: width, rows: 1))) }
        }
        if showsScrollBar { patch.drawScrollBar(top, of: count, rows: header..<header + height) }
        return RowWindow(count: count, header: header, height: height)
    }
}

/// Which rows can be seen, and so what input means to them.
struct RowWindow: Sendable {
    let count: Int
    let header: Int
    let height: Int

    /// How far the rows can be scrolled.
    private var limit: Int { max(0, count - height) }

    /// What a view with such rows answers. See ``RowList`` for the parameters.
    func events<Event>(
        of input: InputEvent, _ memory: inout ViewMemory, _ select: (@Sendable (ListMove) -> [Event])?, _ open: [Event],
        _ extra: (@Sendable (InputEvent, Int?) -> [Event]?)?
    ) -> [Event]? {
        var row: Int?
        if case .mouse(let mouse) = input {
            if memory.scrollRows(by: mouse.action, limit: limit) { return [] }
            let index = memory.offset.row + mouse.point.row - header
            if mouse.point.row >= header, index < count { row = index }
        }
        if let events = extra?(input, row) { return events }
        switch input {
        case .key(.enter): return open.count == 0 ? nil : open
        case .key(let key):
            guard let move = ListMove(key, page: height) else { return nil }
            if let select { return select(move) }
            memory.offset = Point(
                column: memory.offset.column, row: move.index(from: memory.offset.row, count: limit + 1))
            return []
        case .mouse(let mouse):
            guard case .press(1) = mouse.action, let row, let select else { return nil }
            return select(.to(row))
        default: return nil
        }
    }
}

/// A list of rows, one of which may be selected.
///
/// ```swift
/// List(state.lines, selected: state.selected, select: Event.select)
/// ```
/// Its state is the index of the selected row, its events are ``ListMove``s. Only visible rows are read, so that the cost does
/// not depend on the number of rows. The list scrolls to the selection when it moves; the wheel scrolls without moving the
/// selection.
public struct List<Event: Sendable>: Widget {
    private let rows: RowList<Event>
    private let drawRow: @Sendable (Int, Surface<Event>) -> Void

    /// Creates a list of items.
    ///
    /// - Parameters:
    ///   - items: The items, of which only visible ones are read.
    ///   - selected: The index of the selected row; nil for none.
    ///   - look: The look of the selected row.
    ///   - scrollBar: True to show a scroll bar if not all rows are visible.
    ///   - select: Returns the event of a move; nil for a list without selection, which keys scroll.
    ///   - open: The event of Enter; nil to ignore Enter.
    ///   - row: The text of an item.
    public init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, selected: Int? = nil, look: SelectionLook = .marker, scrollBar: Bool = false,
        select: (@Sendable (ListMove) -> Event)? = nil, open: Event? = nil,
        row: @escaping @Sendable (Items.Element) -> StyledText
    ) {
        rows = RowList(
            count: items.count, selected: selected, select: select, open: open, showsScrollBar: scrollBar, look: look)
        drawRow = { index, part in
            let item = items[items.index(items.startIndex, offsetBy: index)]
            part.write(row(item).truncated(to: part.size.columns))
        }
    }

    /// Creates a list of texts. See ``init(_:selected:look:scrollBar:select:open:row:)``.
    public init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, selected: Int? = nil, look: SelectionLook = .marker, scrollBar: Bool = false,
        select: (@Sendable (ListMove) -> Event)? = nil, open: Event? = nil
    ) where Items.Element: StringProtocol {
        rows = RowList(
            count: items.count, selected: selected, select: select, open: open, showsScrollBar: scrollBar, look: look)
        drawRow = { index, part in part.writeLine(String(items[items.index(items.startIndex, offsetBy: index)])) }
    }

    /// Draws the visible rows, truncated with an ellipsis.
    func paint(on surface: inout Surface<Event>) { rows.draw(on: &surface, drawRow) }
}

/// A command for a list, which a reducer folds into the index of the selected row.
///
/// ```swift
/// case .select(let move): state.selected = move.index(from: state.selected, count: state.lines.count)
/// ```
public enum ListMove: Hashable, Sendable {
    /// Moves by a number of rows; up if it is negative.
    case by(Int)
    /// Moves to the first row.
    case first
    /// Moves to the last row.
    case last
    /// Moves to a row.
    case to(Int)

    /// Moves one row up.
    package static let up = by(-1)
    /// Moves one row down.
    package static let down = by(1)

    /// The index of the row that the move selects, clamped to the rows; 0 if there are none.
    ///
    /// - Parameters:
    ///   - index: The index of the selected row.
    ///   - count: The number of rows.
    public func index(from index: Int, count: Int) -> Int {
        let last = max(count, 1) - 1
        let target =
            switch self {
            case .by(let rows): index.addingReportingOverflow(rows).overflow ? (rows < 0 ? 0 : last) : index + rows
            case .first: 0
            case .last: last
            case .to(let row): row
            }
        return max(0, min(target, last))
    }

    /// The move of a key in a view of a number of rows; nil if it has none.
    init?(_ key: Key, page: Int) {
        switch key {
        case .up: self = .up
        case .down: self = .down
        case .home: self = .first
        case .end: self = .last
        case .pageUp: self = .by(-max(1, page - 1))
        case .pageDown: self = .by(max(1, page - 1))
        default: return nil
        }
    }
}

/// The look of the selected row of a ``List``, a ``Table`` or a ``Tree``.
///
/// ```swift
/// List(state.lines, selected: state.selected, look: .inverse, select: Event.select)
/// ```
/// The default is a marker: it needs no colors, screen readers read it, and a move takes some ten bytes, whereas a change of
/// style rewrites two rows. Both looks are dimmed while another view has the focus.
public enum SelectionLook: Hashable, Sendable {
    /// A bold `>` in front of the row. All rows leave room for it.
    case marker
    /// An inverse row.
    case inverse

    /// The columns of the marker in each row.
    var indent: Int { self == .marker ? 2 : 0 }

    /// Draws the look of the selected row, over its texts.
    ///
    /// - Parameter row: The row with the columns of the marker.
    func draw(on row: Surface<some Sendable>) {
        switch self {
        case .marker: row.write(">", style: row.isFocused ? .bold : .dim)
        case .inverse: row.restyle { $0.attributes.formUnion(row.isFocused ? .inverse : [.inverse, .dim]) }
        }
    }
}

/// The rows of lists, tables and trees: selection, scrolling and input.
struct RowList<Event: Sendable>: Sendable {
    let count: Int
    let selected: Int?
    /// Returns the event of a move; nil without selection, so that keys scroll.
    let select: (@Sendable (ListMove) -> Event)?
    /// The event of Enter; nil to ignore Enter.
    let open: Event?
    let showsScrollBar: Bool
    let look: SelectionLook
    /// A handler that receives input first, with the row of a click.
    var extra: (@Sendable (InputEvent, Int?) -> [Event]?)?

    /// The columns of the marker; 0 without selection.
    var indent: Int { select == nil && selected == nil ? 0 : look.indent }

    /// Draws rows below a header, and registers the handler of input.
    ///
    /// - Parameters:
    ///   - surface: The view.
    ///   - header: The rows of the header.
    ///   - drawRow: Draws the row at an index, on the part right of the marker.
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
        /// The last scroll position.
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

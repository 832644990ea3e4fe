/// Rows of text, one of which may be selected.
///
/// ```swift
/// List(state.lines, selected: state.selected, select: Event.select)
/// ```
/// Its state is the index of the selected row, its events are ``ListMove``s. Only the rows that can be seen are asked for: a million rows
/// cost no more than twenty. The list scrolls when the selection moves out of sight; the wheel scrolls without moving the selection.
public struct List<Event: Sendable>: View {
    private let rows: RowList<Event>
    private let drawRow: @Sendable (Int, Surface<Event>) -> Void

    /// Creates a list of anything.
    ///
    /// - Parameters:
    ///   - items: The items. They are asked for by index, when they can be seen.
    ///   - selected: The index of the selected row; nil for none.
    ///   - look: How the selected row is told from the others.
    ///   - scrollBar: Whether there is a scroll bar if there are more rows than can be seen.
    ///   - select: The event of a move; nil if nothing can be selected: keys scroll then.
    ///   - open: The event of Enter; nil if Enter is not wanted.
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

    /// Draws the rows that can be seen. Rows that are too long are cut, with an ellipsis.
    public func draw(on surface: inout Surface<Event>) { rows.draw(on: &surface, drawRow) }
}

/// A command for a list, which a reducer folds into the index of the selected row.
///
/// ```swift
/// case .select(let move): state.selected = move.index(from: state.selected, count: state.lines.count)
/// ```
public enum ListMove: Hashable, Sendable {
    /// By some rows; negative numbers lead up.
    case by(Int)
    /// To the first row.
    case first
    /// To the last row.
    case last
    /// To a row.
    case to(Int)

    /// By a row up, or to the one before.
    public static let up = by(-1)
    /// By a row down, or to the one behind.
    public static let down = by(1)

    /// The row that is selected then: one of those that there are, or 0 if there is none.
    ///
    /// - Parameters:
    ///   - index: The row that is selected now.
    ///   - count: The number of rows now.
    public func index(from index: Int, count: Int) -> Int {
        let target =
            switch self {
            case .by(let rows): index.addingReportingOverflow(rows).overflow ? (rows < 0 ? 0 : count) : index + rows
            case .first: 0
            case .last: count - 1
            case .to(let row): row
            }
        return max(0, min(target, count - 1))
    }

    /// The command of a key in a view that shows so many rows; nil if it has none.
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
/// A marker is the default: terminals without colors show it, it is part of what ``Display/lines`` writes for a screen reader, and a move
/// takes some ten bytes, where a row that changes its style is written twice, as it was and as it is. Either look is dimmed while another
/// view has the focus.
public struct SelectionLook: Hashable, Sendable {
    /// What stands in front of the selected row; empty for none.
    let marker: String
    /// The style of the marker or, without one, of the row.
    let style: Style

    /// A bold `>` in front of the row.
    public static let marker = marker(">")

    /// A row that is inverse over its whole width.
    public static let inverse = row(.inverse)

    /// A text in front of the row. All rows leave room for it, and for a blank behind it.
    ///
    /// - Parameters:
    ///   - text: The text, such as `→`. Without any, no row is told from the others.
    ///   - style: How it looks.
    public static func marker(_ text: String, style: Style = .bold) -> SelectionLook {
        SelectionLook(marker: text, style: text.isEmpty ? .plain : style)
    }

    /// A style of the whole row, which is added to that of its texts.
    public static func row(_ style: Style) -> SelectionLook { SelectionLook(marker: "", style: style) }

    /// The columns that each row leaves free for the marker.
    var indent: Int { marker.isEmpty ? 0 : marker.columns + 1 }

    /// Shows that a row is the selected one.
    ///
    /// - Parameter row: The row, with the columns for the marker. Its texts have been drawn.
    func draw(on row: Surface<some Sendable>) {
        if marker.isEmpty { return row.highlight(style) }
        var style = style
        if !row.isFocused { style.attributes = style.attributes.subtracting(.bold).union(.dim) }
        row.write(marker, style: style)
    }
}

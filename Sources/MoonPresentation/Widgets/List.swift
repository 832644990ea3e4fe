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

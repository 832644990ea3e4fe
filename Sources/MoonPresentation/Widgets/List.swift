/// Rows of text, one of which may be selected.
///
/// ```swift
/// List(state.lines, selected: state.selected, select: Event.select)
/// ```
/// Its state is the index of the selected row, its events are ``ListMove``s. Only the rows that can be seen are asked for: a million rows
/// cost no more than twenty. The list scrolls when the selection moves out of sight; the wheel scrolls without moving the selection.
public struct List<Event: Sendable>: View {
    private let rows: RowList<Event>
    private let draw: @Sendable (Int, Patch) -> Void

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
    @inlinable
    public init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, selected: Int? = nil, look: SelectionLook = .marker, scrollBar: Bool = false,
        select: (@Sendable (ListMove) -> Event)? = nil, open: Event? = nil,
        row: @escaping @Sendable (Items.Element) -> StyledText
    ) {
        // What depends on types is done here, where they are known.
        self.init(
            count: items.count, selected, look, scrollBar, select.map(RowList.answering), open.map { [$0] } ?? [],
            row: { row(items[items.index(items.startIndex, offsetBy: $0)]) })
    }

    /// Creates a list of texts. See ``init(_:selected:look:scrollBar:select:open:row:)``.
    @inlinable
    public init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, selected: Int? = nil, look: SelectionLook = .marker, scrollBar: Bool = false,
        select: (@Sendable (ListMove) -> Event)? = nil, open: Event? = nil
    ) where Items.Element: StringProtocol {
        if let lines = items as? [String] {
            // As most are: a row is written as it is.
            self.init(
                count: lines.count, selected, look, scrollBar, select.map(RowList.answering),
                open.map { [$0] } ?? [], line: { lines[$0] })
        } else {
            self.init(
                items, selected: selected, look: look, scrollBar: scrollBar, select: select, open: open,
                row: { StyledText($0) })
        }
    }

    @usableFromInline
    init(
        count: Int, _ selected: Int?, _ look: SelectionLook, _ scrollBar: Bool, _ select: (@Sendable (ListMove) -> [Event])?,
        _ open: [Event], row: @escaping @Sendable (Int) -> StyledText
    ) {
        rows = RowList(count: count, selected: selected, select: select, open: open, showsScrollBar: scrollBar, look: look)
        draw = { index, part in part.write(row(index).truncated(to: part.size.columns)) }
    }

    @usableFromInline
    init(
        count: Int, _ selected: Int?, _ look: SelectionLook, _ scrollBar: Bool, _ select: (@Sendable (ListMove) -> [Event])?,
        _ open: [Event], line: @escaping @Sendable (Int) -> String
    ) {
        rows = RowList(count: count, selected: selected, select: select, open: open, showsScrollBar: scrollBar, look: look)
        draw = { index, part in part.writeLine(line(index)) }
    }

    /// Draws the rows that can be seen. Rows that are too long are cut, with an ellipsis.
    public func draw(on surface: inout Surface<Event>) { rows.draw(on: &surface, draw) }
}

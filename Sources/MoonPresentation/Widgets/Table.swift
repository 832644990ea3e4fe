/// A column of a table.
public struct TableColumn<Row>: Sendable {
    let title: String
    let width: Length
    let alignment: TextAlignment
    let text: @Sendable (Row) -> StyledText

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - width: The width. `.content` is the widest of the title and the visible rows; `.automatic` is a share of 1.
    ///   - alignment: The alignment of the texts.
    ///   - text: Returns the text of a row.
    public init(
        _ title: String, width: Length = .automatic, alignment: TextAlignment = .left,
        text: @escaping @Sendable (Row) -> StyledText
    ) {
        self.title = title
        self.width = width
        self.alignment = alignment
        self.text = text
    }
}

/// A table of rows and columns with titles. One row may be selected.
///
/// ```swift
/// Table(
///     state.files, selected: state.selected, select: Event.select,
///     columns: [
///         TableColumn("Name") { StyledText($0.name) },
///         TableColumn("Size", width: .cells(8), alignment: .right) { StyledText("\($0.size)") },
///     ])
/// ```
/// As in a ``List``, only visible rows are read, and events are ``ListMove``s.
public struct Table<Event: Sendable>: Widget {
    private let rows: RowList<Event>
    private let titles: [String]
    private let widths: [Length]
    private let alignments: [TextAlignment]
    private let spacing: Int
    private let cell: @Sendable (Int, Int) -> StyledText

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - items: The items, of which only visible ones are read.
    ///   - selected: The index of the selected row; nil for none.
    ///   - look: The look of the selected row.
    ///   - spacing: Empty columns between two columns.
    ///   - scrollBar: True to show a scroll bar if not all rows are visible.
    ///   - select: Returns the event of a move; nil for a list without selection, which keys scroll.
    ///   - open: The event of Enter; nil to ignore Enter.
    ///   - columns: The columns.
    public init<Items: RandomAccessCollection & Sendable>(
        _ items: Items, selected: Int? = nil, look: SelectionLook = .marker, spacing: Int = 1, scrollBar: Bool = false,
        select: (@Sendable (ListMove) -> Event)? = nil, open: Event? = nil, columns: [TableColumn<Items.Element>]
    ) {
        rows = RowList(
            count: items.count, selected: selected, select: select, open: open, showsScrollBar: scrollBar, look: look)
        titles = columns.map(\.title)
        widths = columns.map(\.width)
        alignments = columns.map(\.alignment)
        self.spacing = spacing
        let texts = columns.map(\.text)
        cell = { row, column in texts[column](items[items.index(items.startIndex, offsetBy: row)]) }
    }

    /// Draws the titles and the visible rows.
    func paint(on surface: inout Surface<Event>) {
        let list = rows
        let height = max(0, surface.size.rows - 1)
        let bar = list.showsScrollBar && list.count > height ? 1 : 0
        // The widths of columns depend on the visible rows.
        let top = surface.scrollRows(to: list.selected, of: list.count, height: height)
        let seen = top..<max(top, min(list.count, top + height))
        let tracks = Tracks(
            max(0, surface.size.columns - bar - list.indent), lengths: widths.map { $0.kind == .automatic ? .share() : $0 },
            spacing: spacing,
            natural: { column in seen.reduce(titles[column].columns) { max($0, cell($1, column).columns) } })
        let titleRow = surface.part(
            Rect(column: list.indent, row: 0, columns: max(0, surface.size.columns - list.indent), rows: 1))
        for (column, range) in tracks.ranges.enumerated() {
            write(StyledText(titles[column], .bold), column, range, on: titleRow)
        }
        rows.draw(on: &surface, header: 1) { row, part in
            for (column, range) in tracks.ranges.enumerated() { write(cell(row, column), column, range, on: part) }
        }
    }

    private func write(_ text: StyledText, _ column: Int, _ range: Range<Int>, on row: Surface<Event>) {
        let text = text.truncated(to: range.count)
        let start = range.lowerBound + alignments[column].start(of: text.columns, in: range.count)
        row.part(Rect(column: range.lowerBound, row: 0, columns: range.count, rows: 1))
            .write(text, at: Point(column: start - range.lowerBound, row: 0))
    }
}

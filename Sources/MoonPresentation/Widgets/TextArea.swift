/// A text of several lines that the user edits.
///
/// ```swift
/// TextArea(state.text, placeholder: "What happened?", edit: Event.edit)
/// ```
/// Its state is a ``TextInput``, as for a ``Field``. Long lines are wrapped. Enter inserts a line break; Alt-Enter submits.
public struct TextArea<Event: Sendable>: Widget {
    private let input: TextInput
    private let placeholder: String
    private let style: Style
    private let showsScrollBar: Bool
    private let edit: @Sendable (TextEdit) -> Event
    private let submit: Event?

    /// Creates an area.
    ///
    /// - Parameters:
    ///   - input: The text.
    ///   - placeholder: The text that is shown while the area is empty.
    ///   - style: The style of the text.
    ///   - scrollBar: True to show a scroll bar.
    ///   - edit: Returns the event of a command.
    ///   - submit: The event of Alt-Enter; nil to ignore it.
    public init(
        _ input: TextInput, placeholder: String = "", style: Style = .plain, scrollBar: Bool = false,
        edit: @escaping @Sendable (TextEdit) -> Event, submit: Event? = nil
    ) {
        self.input = input
        self.placeholder = placeholder
        self.style = style
        showsScrollBar = scrollBar
        self.edit = edit
        self.submit = submit
    }

    /// Draws the visible rows, scrolled to the cursor when it has moved.
    func paint(on surface: inout Surface<Event>) {
        // One column is for the cursor after a full row.
        let width = max(1, surface.size.columns - (showsScrollBar ? 2 : 1))
        let rows = TextRows(input.text, width: width)
        let cursor = rows.row(of: input.cursor)
        // The row can change although the cursor does not: if the text behind it is removed, or the width changes.
        let key = [input.cursor, cursor, input.text.utf8.count].hashValue
        let top = surface.scrollRows(to: cursor, of: rows.ranges.count, key: key)
        if input.isEmpty { surface.write(placeholder, style: .dim) }
        for row in 0..<min(surface.size.rows, rows.ranges.count - top) {
            let range = rows.ranges[top + row]
            surface.write(input.text.utf8Slice(range), at: Point(column: 0, row: row), style: style)
            let selected = input.selection.clamped(to: range)
            guard !selected.isEmpty else { continue }
            let column = input.text.utf8Slice(range.lowerBound..<selected.lowerBound).columns
            let count = input.text.utf8Slice(range.lowerBound..<selected.upperBound).columns - column
            surface.restyle(Rect(column: column, row: row, columns: count, rows: 1)) { $0.attributes.insert(.inverse) }
        }
        surface.showCursor(at: Point(column: rows.column(of: input.cursor, in: input.text), row: cursor - top))
        if showsScrollBar { surface.drawScrollBar(top, of: rows.ranges.count) }
        let (area, height, limit) = (self, surface.size.rows, max(0, rows.ranges.count - surface.size.rows))
        surface.onInput(.text) { input, memory in
            area.events(of: input, &memory, width: width, height: height, limit: limit)
        }
    }

    private func events(
        of input: InputEvent, _ memory: inout ViewMemory, width: Int, height: Int, limit: Int
    ) -> [Event]? {
        switch input {
        case .key(.alt(.enter)): return submit.map { [$0] }
        case .key(.enter): return [edit(.insert("\n"))]
        case .key(let key):
            let isSelecting = key.modifiers == .shift
            if key.modifiers.isEmpty || isSelecting {
                let page = max(1, height - 1)
                let rows: [Key.Code: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page]
                if let count = rows[key.code] { return [edit(.move(.rows(count, width: width), selecting: isSelecting))] }
            }
            return TextEdit(key).map { [edit($0)] }
        case .paste(let text): return [edit(.insert(text))]
        case .mouse(let mouse):
            if memory.scrollRows(by: mouse.action, limit: limit) { return [] }
            let rows = TextRows(self.input.text, width: width)
            let row = memory.offset.row + mouse.point.row
            let place =
                row < rows.ranges.count
                ? rows.offset(row: row, column: mouse.point.column, in: self.input.text) : self.input.text.utf8.count
            return TextEdit(mouse, at: place).map { [edit($0)] }
        default: return nil
        }
    }
}

/// Views in a frame over all others. While a dialog is shown, it receives all input, and the focus stays in it.
///
/// ```swift
/// if state.asksForRemoval {
///     screen.add(
///         Dialog(title: "Remove?", cancel: .keep) {
///             Text("The note is removed for good.")
///             Columns(spacing: 2) {
///                 Button("Remove", press: .remove)
///                 Button("Keep", press: .keep)
///             }
///         })
/// }
/// ```
/// The state decides whether it is shown. When it closes, the focus returns to the previous view.
public struct Dialog<Event: Sendable>: Widget {
    private let title: String
    private let cancel: Event?
    private let border: Border
    private let content: Rows<Event>

    /// Creates a dialog.
    ///
    /// - Parameters:
    ///   - title: The title in the upper border.
    ///   - cancel: The event of Escape; nil to leave Escape to the program.
    ///   - border: The border.
    ///   - spacing: Empty rows between two views.
    ///   - content: The views, below one another.
    public init(
        title: String = "", cancel: Event? = nil, border: Border = .rounded, spacing: Int = 1,
        @ViewBuilder<Event> content: () -> [ViewBuilder<Event>.Child]
    ) {
        self.title = title
        self.cancel = cancel
        self.border = border
        self.content = Rows(spacing: spacing, content)
    }

    /// Draws the views in the middle, in their natural size.
    func paint(on surface: inout Surface<Event>) {
        let cancel = cancel
        let framed = DialogBody(content: content, cancel: cancel).padding(Insets(left: 1, right: 1)).border(border, title: title)
        let room = surface.size
        let natural = framed.naturalSize(in: room).columns ?? room.columns * 2 / 3
        let columns = min(room.columns, max(natural, title.columns + 4))
        let rows = min(room.rows, framed.naturalSize(in: Size(columns: columns, rows: room.rows)).rows ?? room.rows * 2 / 3)
        let place = Rect(column: (room.columns - columns) / 2, row: (room.rows - rows) / 2, columns: columns, rows: rows)
        surface.fill(place)
        surface.drawModally(framed, in: place)
    }
}

private struct DialogBody<Event: Sendable>: View {
    let content: Rows<Event>
    let cancel: Event?

    func naturalSize(in room: Size) -> NaturalSize { content.naturalSize(in: room) }
    func draw(on surface: inout Surface<Event>) {
        if let cancel {
            surface.onInput(.none) { input in input == .key(.escape) ? [cancel] : nil }
        }
        surface.draw(content, in: Rect(origin: .zero, size: surface.size))
    }
}

/// A border of thin lines.
public struct Border: Sendable {
    /// The corners, clockwise from the upper left one.
    let corners: String

    /// Square corners.
    public static let line = Border(corners: "┌┐┘└")
    /// Round corners.
    public static let rounded = Border(corners: "╭╮╯╰")
}

extension View {
    /// The view with a border and an optional title in its upper line.
    ///
    /// - Parameters:
    ///   - border: The corners of the border.
    ///   - title: The title, which is truncated if it is too long.
    ///   - style: The style of the border and the title.
    public func border(_ border: Border = .line, title: String = "", style: Style = .plain) -> some View<Event> {
        BorderedView(view: self, border: border, title: title, style: style)
    }
}

private struct BorderedView<Child: View>: ModifiedView {
    let view: Child
    let border: Border
    let title: String
    let style: Style

    func naturalSize(in room: Size) -> NaturalSize {
        view.naturalSize(in: Rect(origin: .zero, size: room).inset(by: .uniform(1)).size).outset(by: .uniform(1))
    }

    func draw(on surface: inout Surface<Child.Event>) {
        // The view is drawn in any size, because it would lose the focus otherwise.
        surface.draw(view, in: Rect(origin: .zero, size: surface.size).inset(by: .uniform(1)))
        let (columns, rows) = (surface.size.columns, surface.size.rows)
        guard columns > 1, rows > 1 else { return }
        for row in [0, rows - 1] {
            surface.fill(Rect(column: 1, row: row, columns: columns - 2, rows: 1), with: "─", style: style)
        }
        for column in [0, columns - 1] {
            surface.fill(Rect(column: column, row: 1, columns: 1, rows: rows - 2), with: "│", style: style)
        }
        let corners = [(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)]
        for (corner, place) in zip(border.corners, corners) {
            surface.write(String(corner), at: Point(column: place.0, row: place.1), style: style)
        }
        if !title.isEmpty, columns > 4 {
            let text = StyledText(" \(title) ", style).truncated(to: columns - 2)
            surface.write(text, at: Point(column: 1, row: 0))
        }
    }
}

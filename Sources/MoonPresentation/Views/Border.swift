/// The characters of a border.
public struct Border: Sendable {
    let horizontal: Character
    let vertical: Character
    /// The corners, clockwise from the upper left one.
    let corners: [Character]

    /// Creates a border of characters, each one column wide.
    ///
    /// - Parameters:
    ///   - horizontal: The character above and below.
    ///   - vertical: The character at the left and at the right.
    ///   - corners: Four characters, clockwise from the upper left corner.
    package init(horizontal: Character, vertical: Character, corners: String) {
        let corners = Array(corners)
        precondition(corners.count == 4, "a border needs four corners, clockwise from the upper left one, not \(corners.count)")
        self.horizontal = horizontal
        self.vertical = vertical
        self.corners = corners
    }

    /// Thin lines.
    public static let line = Border(horizontal: "─", vertical: "│", corners: "┌┐┘└")
    /// Thin lines with round corners.
    public static let rounded = Border(horizontal: "─", vertical: "│", corners: "╭╮╯╰")
    /// ASCII characters.
    package static let ascii = Border(horizontal: "-", vertical: "|", corners: "++++")
}

extension View {
    /// The view with a border and an optional title in its upper line.
    ///
    /// - Parameters:
    ///   - border: The characters of the border.
    ///   - title: The title, which is truncated if it is too long.
    ///   - style: The style of the border and the title.
    public func border(_ border: Border = .line, title: String = "", style: Style = .plain) -> some View<Event> {
        BorderedView(view: self, border: border, title: title, style: style)
    }
}

private struct BorderedView<Child: View>: TraitsView {
    let view: Child
    let border: Border
    let title: String
    let style: Style

    var traits: ViewTraits { view.traits }

    func naturalSize(in room: Size) -> NaturalSize {
        view.naturalSize(in: Rect(origin: .zero, size: room).inset(by: .uniform(1)).size).outset(by: .uniform(1))
    }

    func draw(on surface: inout Surface<Child.Event>) {
        let (columns, rows) = (surface.size.columns, surface.size.rows)
        guard columns > 1, rows > 1 else { return }
        for row in [0, rows - 1] {
            surface.fill(Rect(column: 1, row: row, columns: columns - 2, rows: 1), with: border.horizontal, style: style)
        }
        for column in [0, columns - 1] {
            surface.fill(Rect(column: column, row: 1, columns: 1, rows: rows - 2), with: border.vertical, style: style)
        }
        let corners = [(0, 0), (columns - 1, 0), (columns - 1, rows - 1), (0, rows - 1)]
        for (corner, place) in zip(border.corners, corners) {
            surface.write(String(corner), at: Point(column: place.0, row: place.1), style: style)
        }
        if !title.isEmpty, columns > 4 {
            let text = StyledText(" \(title) ", style).truncated(to: columns - 2)
            surface.write(text, at: Point(column: 1, row: 0))
        }
        surface.draw(view, in: Rect(column: 1, row: 1, columns: columns - 2, rows: rows - 2))
    }
}

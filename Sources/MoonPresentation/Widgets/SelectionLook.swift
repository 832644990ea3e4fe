/// How the selected row of a ``List``, a ``Table`` or a ``Tree`` is told from the others.
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

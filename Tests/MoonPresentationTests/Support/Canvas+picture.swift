import MoonPresentation

extension Canvas {
    /// The rows as text without trailing blanks.
    var picture: [String] { rows }

    /// The cells of a row that have an attribute, as `#`, the others as `.`.
    func marks(_ attribute: Style.Attributes, row: Int) -> String {
        String((0..<size.columns).map { style(at: Point(column: $0, row: row)).attributes.contains(attribute) ? "#" : "." })
    }
}

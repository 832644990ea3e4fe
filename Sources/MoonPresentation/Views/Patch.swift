/// A part of a frame to draw on, which knows nothing of the events of views.
///
/// What is drawn many times in a view, such as the rows of a list, is drawn on patches: each ``Surface`` of a generic type asks the runtime
/// for the metadata of its type.
struct Patch {
    let stage: Stage
    /// The cells in the frame, as if nothing were cut off.
    let rect: Rect
    /// The part of the frame that may be drawn on.
    let clip: Rect
    /// Whether the view has the focus.
    let isFocused: Bool

    init(stage: Stage, rect: Rect, clip: Rect, isFocused: Bool) {
        (self.stage, self.rect, self.isFocused) = (stage, rect, isFocused)
        self.clip = rect.intersection(clip)
    }

    var size: Size { rect.size }

    /// A part of it, with coordinates of its own: what is drawn there is cut at its edges.
    func part(_ part: Rect) -> Patch {
        let origin = Point(column: rect.origin.column + part.origin.column, row: rect.origin.row + part.origin.row)
        return Patch(stage: stage, rect: Rect(origin: origin, size: part.size), clip: clip, isFocused: isFocused)
    }

    /// Writes text in one row. See ``Surface/write(_:at:style:)``.
    func write(_ text: String, at point: Point = .zero, style: Style = .plain) {
        stage.canvas.write(text, at: absolute(point), style: style, clip: clip)
    }

    /// Writes styled text in one row.
    func write(_ text: StyledText, at point: Point = .zero) {
        stage.canvas.write(text, at: absolute(point), clip: clip)
    }

    /// Shows it as the selected row: in full while the view has the focus, and dimmed otherwise.
    func highlight(_ style: Style) {
        stage.canvas.restyle(clip) { cell in
            if style.foreground != .standard { cell.foreground = style.foreground }
            if style.background != .standard { cell.background = style.background }
            cell.attributes.formUnion(style.attributes)
            if !isFocused { cell.attributes.insert(.dim) }
        }
    }

    private func absolute(_ point: Point) -> Point {
        Point(column: rect.origin.column + point.column, row: rect.origin.row + point.row)
    }
}

extension Surface {
    /// All of the view, to draw on.
    var patch: Patch { Patch(stage: stage, rect: rect, clip: clip, isFocused: isFocused) }
}

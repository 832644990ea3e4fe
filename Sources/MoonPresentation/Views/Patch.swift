/// A part of a frame to draw on, which knows nothing of the events of views.
///
/// It does the work of ``Surface``. What is generic asks the runtime for types, which costs more than to draw a row.
struct Patch {
    /// Not retained for each patch: one is used only while the surface, or the frame, that it was made for has the stage.
    unowned(unsafe) let stage: Stage
    /// The cells in the frame, as if nothing were cut off.
    let rect: Rect
    /// The part of the frame that may be drawn on.
    let clip: Rect
    /// The number of the view.
    let node: Int
    /// The dialog that the view belongs to.
    let scope: Int
    /// Whether it is the whole view, and not a part of it that only draws.
    let takesInput: Bool
    /// Whether the view, and those in it, may have the focus.
    let mayFocus: Bool

    init(stage: Stage, rect: Rect, clip: Rect, node: Int, scope: Int, takesInput: Bool, mayFocus: Bool) {
        self.stage = stage
        self.rect = rect
        self.node = node
        self.scope = scope
        self.takesInput = takesInput
        self.mayFocus = mayFocus
        self.clip = rect.intersection(clip)
    }

    var size: Size { rect.size }

    /// The part that can be seen, in its own coordinates.
    var visible: Rect {
        Rect(
            origin: Point(column: clip.origin.column - rect.origin.column, row: clip.origin.row - rect.origin.row),
            size: clip.size)
    }

    /// Whether the view has the focus.
    var isFocused: Bool { stage.focus == node }

    /// What is kept for the view from frame to frame.
    var memory: ViewMemory {
        get { stage.identities[node] }
        nonmutating set { stage.identities[node] = newValue }
    }

    /// A part of it, with coordinates of its own: what is drawn there is cut at its edges. It takes no input.
    func part(_ part: Rect) -> Patch {
        Patch(
            stage: stage, rect: Rect(origin: absolute(part.origin), size: part.size), clip: clip, node: node, scope: scope,
            takesInput: false, mayFocus: mayFocus)
    }

    // MARK: - Drawing

    /// Writes text in one row. See ``Surface/write(_:at:style:)``.
    @discardableResult
    func write(_ text: String, at point: Point = .zero, style: Style = .plain) -> Int {
        stage.canvas.write(text, at: absolute(point), style: style, clip: clip)
    }

    /// Writes styled text in one row.
    @discardableResult
    func write(_ text: StyledText, at point: Point = .zero) -> Int {
        stage.canvas.write(text, at: absolute(point), clip: clip)
    }

    /// Writes a line of plain text. One that is too long is cut, with an ellipsis.
    func writeLine(_ text: String) {
        if text.exceeds(size.columns) { write(StyledText(text).truncated(to: size.columns)) } else { write(text) }
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

    /// Puts the terminal's cursor into a cell, if the view has the focus and the cell can be seen.
    func showCursor(at point: Point) {
        let place = absolute(point)
        if isFocused, clip.contains(place) { stage.canvas.cursor = place }
    }

    // MARK: - Other views

    /// Draws a view in a part of this one, as a view of its own.
    func add<Child: View>(_ view: Child, in part: Rect, place: UInt64) {
        let id = view.traits.id
        let key = NodeKey(parent: node, type: ObjectIdentifier(Child.self), place: id == nil ? place : 0, id: id)
        draw(view, in: part, node: stage.identities.number(key))
    }

    /// Draws a view in a part of this one.
    ///
    /// - Parameters:
    ///   - node: The number of the view; nil if it is the same as this one as to focus and memory.
    ///   - scope: The dialog that it belongs to; nil for that of this one.
    ///   - clip: What may be drawn on, in this one's coordinates; nil for all of it.
    ///   - mayFocus: Whether it may have the focus. If this one may not, it may only as a dialog.
    func draw<Child: View>(
        _ view: Child, in part: Rect, node: Int? = nil, scope: Int? = nil, clippedTo clip: Rect? = nil, mayFocus: Bool = true
    ) {
        let patch = Patch(
            stage: stage, rect: Rect(origin: absolute(part.origin), size: part.size), clip: absolute(clip),
            node: node ?? self.node, scope: scope ?? self.scope, takesInput: takesInput,
            mayFocus: mayFocus && (self.mayFocus || scope != nil))
        patch.draw(view)
    }

    /// Draws a view on it.
    private func draw<Child: View>(_ view: Child) {
        var parts = SurfaceParts(self)
        withUnsafeMutablePointer(to: &parts) { parts in
            // Sound: a surface is its parts. For a variable of its generic type, the runtime would be asked for the type.
            view.draw(on: &UnsafeMutableRawPointer(parts).assumingMemoryBound(to: Surface<Child.Event>.self).pointee)
        }
    }

    /// Draws a view that has other events, as the same view as to focus and memory.
    func draw<Child: View, Event: Sendable>(_ view: Child, map transform: @escaping @Sendable (Child.Event) -> Event) {
        let first = stage.regions.count
        draw(view)
        for index in first..<stage.regions.count { stage.regions[index].map(transform) }
    }

    // MARK: - Input

    /// Says what the view does with input. See ``Surface/onInput(_:_:)``.
    func onInput<Event: Sendable>(_ focusing: Focusing = .keys, _ handler: @escaping Region.Handler<Event>) {
        guard takesInput else { return }
        stage.regions.append(
            Region(node: node, visible: clip, rect: rect, focusing: focusing, mayFocus: mayFocus, scope: scope, handler))
    }

    // MARK: - Coordinates

    func absolute(_ point: Point) -> Point {
        Point(column: rect.origin.column + point.column, row: rect.origin.row + point.row)
    }

    func absolute(_ part: Rect?) -> Rect {
        guard let part else { return clip }
        return Rect(origin: absolute(part.origin), size: part.size).intersection(clip)
    }
}

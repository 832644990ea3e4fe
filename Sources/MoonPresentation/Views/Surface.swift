/// The part of the frame that a view draws on, with coordinates of its own.
///
/// What lies outside of it is cut off. Views of which only a part can be seen ask for ``visible``, and draw no more than that.
///
/// ```swift
/// struct Switch: View {
///     var isOn: Bool
///     func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: 3, rows: 1) }
///     func draw(on surface: inout Surface<Bool>) {
///         surface.write(isOn ? "[x]" : "[ ]", style: surface.isFocused ? .inverse : .plain)
///         surface.onInput { [isOn] input, _ in input == .key(" ") ? [!isOn] : nil }
///     }
/// }
/// ```
public struct Surface<Event: Sendable> {
    let stage: Stage
    let regions: Regions<Event>
    /// The cells in the frame, as if nothing were cut off.
    let rect: Rect
    /// The part of the frame that may be drawn on.
    let clip: Rect
    /// The number of the view.
    let node: Int
    /// The dialog that the view belongs to.
    let scope: Int
    /// Indicates whether it is the whole view, and not a part of it that only draws.
    let takesInput: Bool
    /// Indicates whether the view, and those in it, may have the focus.
    let mayFocus: Bool
    /// How many views have been added.
    private var children: UInt64 = 0

    init(
        stage: Stage, regions: Regions<Event>, rect: Rect, clip: Rect, node: Int = Identities.root, scope: Int = Identities.root,
        takesInput: Bool = true, mayFocus: Bool = true
    ) {
        self.stage = stage
        self.regions = regions
        self.rect = rect
        self.clip = rect.intersection(clip)
        self.node = node
        self.scope = scope
        self.takesInput = takesInput
        self.mayFocus = mayFocus
    }

    /// The size of the view.
    public var size: Size { rect.size }

    /// The part of the view that can be seen, in the view's own coordinates.
    public var visible: Rect {
        Rect(
            origin: Point(column: clip.origin.column - rect.origin.column, row: clip.origin.row - rect.origin.row),
            size: clip.size)
    }

    /// Indicates whether the view has the focus, so that keys go to it.
    public var isFocused: Bool { stage.focus == node }

    /// The view state that is kept for the view from frame to frame.
    public var memory: ViewMemory {
        get { stage.identities[node] }
        nonmutating set { stage.identities[node] = newValue }
    }

    /// A part of the view, with coordinates of its own: what is drawn there is cut at its edges. It takes no input.
    public func part(_ part: Rect) -> Surface {
        Surface(
            stage: stage, regions: regions, rect: Rect(origin: absolute(part.origin), size: part.size), clip: clip, node: node,
            scope: scope, takesInput: false, mayFocus: mayFocus)
    }

    // MARK: - Drawing

    /// Writes text in one row.
    ///
    /// - Parameters:
    ///   - text: The text. Control characters are made visible.
    ///   - point: Where it begins.
    ///   - style: How it looks.
    /// - Returns: The columns that the text takes.
    @discardableResult
    public func write(_ text: some StringProtocol, at point: Point = .zero, style: Style = .plain) -> Int {
        stage.canvas.write(text, at: absolute(point), style: style, clip: clip)
    }

    /// Writes styled text in one row.
    ///
    /// - Parameters:
    ///   - text: The text. Control characters are made visible.
    ///   - point: Where it begins.
    /// - Returns: The columns that the text takes.
    @discardableResult
    public func write(_ text: StyledText, at point: Point = .zero) -> Int {
        stage.canvas.write(text, at: absolute(point), clip: clip)
    }

    /// Writes a line of plain text. One that is too long is cut, with an ellipsis.
    func writeLine(_ text: String) {
        if text.exceeds(size.columns) { write(StyledText(text).truncated(to: size.columns)) } else { write(text) }
    }

    /// Fills a part of the view, or all of it.
    public func fill(_ part: Rect? = nil, with character: Character = " ", style: Style = .plain) {
        stage.canvas.fill(absolute(part), with: character, style: style)
    }

    /// Changes the style of what has been drawn in a part of the view, or in all of it.
    public func restyle(_ part: Rect? = nil, _ change: (inout Style) -> Void) { stage.restyle(absolute(part), change) }

    /// Shows it as the selected row: in full while the view has the focus, and dimmed otherwise.
    func highlight(_ style: Style) {
        let isFocused = isFocused
        stage.canvas.restyle(clip) { cell in
            if style.foreground != .standard { cell.foreground = style.foreground }
            if style.background != .standard { cell.background = style.background }
            cell.attributes.formUnion(style.attributes)
            if !isFocused { cell.attributes.insert(.dim) }
        }
    }

    /// Puts the terminal's cursor into a cell, if the view has the focus and the cell can be seen.
    public func showCursor(at point: Point) {
        let place = absolute(point)
        if isFocused, clip.contains(place) { stage.canvas.cursor = place }
    }

    // MARK: - Other views

    /// Draws another view in a part of this one.
    ///
    /// Views are identified by their ``View/id(_:)``, or else by the order in which they are added.
    public mutating func add(_ view: some View<Event>, in part: Rect) {
        children += 1
        add(view, in: part, place: ViewPlace(number: children))
    }

    /// Draws a view in a part of this one, as a view of its own.
    func add<Child: View<Event>>(_ view: Child, in part: Rect, place: ViewPlace) {
        let id = view.traits.id
        let key = NodeKey(
            parent: node, type: ObjectIdentifier(Child.self), place: id == nil ? place : ViewPlace(number: 0), id: id)
        draw(view, in: part, node: stage.identities.number(key))
    }

    /// Draws a view in a part of this one.
    ///
    /// - Parameters:
    ///   - node: The number of the view; nil if it is the same as this one as to focus and memory.
    ///   - scope: The dialog that it belongs to; nil for that of this one.
    ///   - clip: The part that may be drawn on, in this one's coordinates; nil for all of it.
    ///   - mayFocus: Whether it may have the focus. If this one may not, it may only as a dialog.
    func draw(
        _ view: some View<Event>, in part: Rect, node: Int? = nil, scope: Int? = nil, clippedTo clip: Rect? = nil,
        mayFocus: Bool = true
    ) {
        var surface = Surface(
            stage: stage, regions: regions, rect: Rect(origin: absolute(part.origin), size: part.size), clip: absolute(clip),
            node: node ?? self.node, scope: scope ?? self.scope, takesInput: takesInput,
            mayFocus: mayFocus && (self.mayFocus || scope != nil))
        view.draw(on: &surface)
    }

    /// Draws a view that has other events, as the same view as to focus and memory.
    func draw<Child: View>(_ view: Child, map transform: @escaping @Sendable (Child.Event) -> Event) {
        let inner = Regions<Child.Event>()
        var surface = Surface<Child.Event>(
            stage: stage, regions: inner, rect: rect, clip: clip, node: node, scope: scope, takesInput: takesInput,
            mayFocus: mayFocus)
        view.draw(on: &surface)
        for region in inner.all { regions.all.append(region.mapped(transform)) }
    }

    /// Draws a view as a dialog: while it is there, it alone gets input, and the focus stays in it.
    func drawModally(_ view: some View<Event>, in part: Rect) {
        stage.scopes.append(node)
        draw(view, in: part, scope: node)
    }

    // MARK: - Input

    /// Says what the view does with input.
    ///
    /// - Parameters:
    ///   - focusing: Whether the view can have the focus.
    ///   - handler: Answers with events, maybe none; or with nil if the input is not wanted, so that others are asked. The place of the
    ///     mouse is in the view's own coordinates. What is kept for the view may be changed; it is then drawn again.
    public mutating func onInput(
        _ focusing: Focusing = .keys, _ handler: @escaping @Sendable (InputEvent, inout ViewMemory) -> [Event]?
    ) {
        guard takesInput else { return }
        regions.all.append(
            Region(
                node: node, visible: clip, rect: rect, focusing: focusing, mayFocus: mayFocus && focusing != .none, scope: scope,
                handler: handler))
    }

    /// Asks for the focus at the moment in which a condition becomes true.
    public func takeFocus(when condition: Bool) {
        var memory = memory
        if condition, !memory.wantedFocus { stage.wish = node }
        if memory.wantedFocus != condition {
            memory.wantedFocus = condition
            self.memory = memory
        }
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

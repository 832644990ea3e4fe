/// What a view draws on: the part of the frame that the view has, with coordinates of its own.
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
    /// The view's cells in the frame, as if nothing were cut off.
    let rect: Rect
    /// The part of the frame that may be drawn on.
    let clip: Rect
    /// The number of the view.
    let node: Int
    /// The dialog that the view belongs to.
    let scope: Int
    var regions: [Region<Event>] = []
    private var children: UInt64 = 0

    init(stage: Stage, rect: Rect, clip: Rect, node: Int, scope: Int) {
        self.stage = stage
        self.rect = rect
        self.clip = rect.intersection(clip)
        self.node = node
        self.scope = scope
    }

    /// The size of the view.
    public var size: Size { rect.size }

    /// The part of the view that can be seen, in the view's own coordinates.
    public var visible: Rect {
        Rect(
            origin: Point(column: clip.origin.column - rect.origin.column, row: clip.origin.row - rect.origin.row),
            size: clip.size)
    }

    /// Whether the view has the focus, so that keys go to it.
    public var isFocused: Bool { stage.focus == node }

    /// What is kept for the view from frame to frame.
    public var memory: ViewMemory {
        get { stage.identities[node] }
        nonmutating set { stage.identities[node] = newValue }
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

    /// Fills a part of the view, or all of it.
    public func fill(_ part: Rect? = nil, with character: Character = " ", style: Style = .plain) {
        stage.canvas.fill(absolute(part), with: character, style: style)
    }

    /// Changes the style of what has been drawn in a part of the view, or in all of it.
    public func restyle(_ part: Rect? = nil, _ change: (inout Style) -> Void) {
        stage.canvas.restyle(absolute(part), change)
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
        add(view, in: part, place: children)
    }

    mutating func add<Child: View<Event>>(_ view: Child, in part: Rect, place: UInt64) {
        let id = view.traits.id
        let key = NodeKey(parent: node, type: ObjectIdentifier(Child.self), place: id == nil ? place : 0, id: id)
        draw(view, in: part, node: stage.identities.number(key), scope: scope)
    }

    /// Draws a view that is wrapped by this one, in a part of it: both are the same view as to focus and memory.
    mutating func draw(_ view: some View<Event>, in part: Rect) { draw(view, in: part, node: node, scope: scope) }

    /// Draws a view as a dialog: while it is there, it alone gets input, and the focus stays in it.
    mutating func drawModally(_ view: some View<Event>, in part: Rect) {
        stage.scopes.append(node)
        draw(view, in: part, node: node, scope: node)
    }

    /// Draws a view that is wrapped by this one, and of it only what lies in a part of this one.
    mutating func draw(_ view: some View<Event>, in part: Rect, clippedTo clip: Rect) {
        draw(view, in: part, node: node, scope: scope, clip: absolute(clip))
    }

    private mutating func draw(_ view: some View<Event>, in part: Rect, node: Int, scope: Int, clip: Rect? = nil) {
        let place = Rect(origin: absolute(part.origin), size: part.size)
        var surface = Surface(stage: stage, rect: place, clip: clip ?? self.clip, node: node, scope: scope)
        swap(&surface.regions, &regions)
        view.draw(on: &surface)
        swap(&surface.regions, &regions)
    }

    /// Draws a view that has other events, as the same view as to focus and memory.
    mutating func draw<Child: View>(_ view: Child, map transform: @escaping @Sendable (Child.Event) -> Event) {
        var surface = Surface<Child.Event>(stage: stage, rect: rect, clip: clip, node: node, scope: scope)
        view.draw(on: &surface)
        for region in surface.regions { regions.append(region.map(transform)) }
    }

    // MARK: - Input

    /// Says what the view does with input.
    ///
    /// - Parameters:
    ///   - focusing: Whether the view can have the focus.
    ///   - handler: Answers with events, maybe none; or with nil if the input is not wanted, so that others are asked. The place of the
    ///     mouse is in the view's own coordinates. What is kept for the view may be changed; it is then drawn again.
    public mutating func onInput(
        _ focusing: Focusing = .keys, _ handler: @escaping @Sendable (Input, inout ViewMemory) -> [Event]?
    ) {
        regions.append(
            Region(node: node, visible: clip, rect: rect, focusing: focusing, scope: scope, handler: handler))
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

    private func absolute(_ point: Point) -> Point {
        Point(column: rect.origin.column + point.column, row: rect.origin.row + point.row)
    }

    private func absolute(_ part: Rect?) -> Rect {
        guard let part else { return clip }
        return Rect(origin: absolute(part.origin), size: part.size).intersection(clip)
    }
}

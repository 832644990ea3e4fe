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
    private var parts: SurfaceParts

    private init(_ patch: Patch) { parts = SurfaceParts(patch) }

    /// What is drawn on.
    @inline(__always) var patch: Patch { parts.patch }

    /// The size of the view.
    public var size: Size { patch.size }

    /// The part of the view that can be seen, in the view's own coordinates.
    public var visible: Rect { patch.visible }

    /// Whether the view has the focus, so that keys go to it.
    public var isFocused: Bool { patch.isFocused }

    /// What is kept for the view from frame to frame.
    public var memory: ViewMemory {
        get { patch.memory }
        nonmutating set { patch.memory = newValue }
    }

    /// A part of the view, with coordinates of its own: what is drawn there is cut at its edges. It takes no input.
    public func part(_ part: Rect) -> Surface { Surface(patch.part(part)) }

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
        patch.stage.canvas.write(text, at: patch.absolute(point), style: style, clip: patch.clip)
    }

    /// Writes styled text in one row.
    ///
    /// - Parameters:
    ///   - text: The text. Control characters are made visible.
    ///   - point: Where it begins.
    /// - Returns: The columns that the text takes.
    @discardableResult
    public func write(_ text: StyledText, at point: Point = .zero) -> Int {
        patch.write(text, at: point)
    }

    /// Fills a part of the view, or all of it.
    public func fill(_ part: Rect? = nil, with character: Character = " ", style: Style = .plain) {
        patch.stage.canvas.fill(patch.absolute(part), with: character, style: style)
    }

    /// Changes the style of what has been drawn in a part of the view, or in all of it.
    public func restyle(_ part: Rect? = nil, _ change: (inout Style) -> Void) {
        patch.stage.restyle(patch.absolute(part), change)
    }

    /// Puts the terminal's cursor into a cell, if the view has the focus and the cell can be seen.
    public func showCursor(at point: Point) { patch.showCursor(at: point) }

    // MARK: - Other views

    /// Draws another view in a part of this one.
    ///
    /// Views are identified by their ``View/id(_:)``, or else by the order in which they are added.
    public mutating func add(_ view: some View<Event>, in part: Rect) {
        parts.children += 1
        patch.add(view, in: part, place: parts.children)
    }

    /// Draws a view that is wrapped by this one, in a part of it: both are the same view as to focus and memory.
    func draw(_ view: some View<Event>, in part: Rect) { patch.draw(view, in: part) }

    /// Draws a view as a dialog: while it is there, it alone gets input, and the focus stays in it.
    func drawModally(_ view: some View<Event>, in part: Rect) {
        patch.stage.scopes.append(patch.node)
        patch.draw(view, in: part, scope: patch.node)
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
        patch.onInput(focusing, handler)
    }

    /// Asks for the focus at the moment in which a condition becomes true.
    public func takeFocus(when condition: Bool) {
        var memory = memory
        if condition, !memory.wantedFocus { patch.stage.wish = patch.node }
        if memory.wantedFocus != condition {
            memory.wantedFocus = condition
            self.memory = memory
        }
    }
}

/// What a surface consists of, whatever the type of its events.
struct SurfaceParts {
    /// The patch does not retain its stage.
    private let stage: Stage
    let patch: Patch
    /// How many views have been added.
    var children: UInt64 = 0

    init(_ patch: Patch) { (stage, self.patch) = (patch.stage, patch) }
}

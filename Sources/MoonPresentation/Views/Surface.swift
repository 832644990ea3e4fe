/// The area of the frame that a view draws on, with its own coordinates.
///
/// Drawing is clipped to the area. A large view draws only its ``visible`` part.
///
/// ```swift
/// struct Switch: View {
///     var isOn: Bool
///     func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: 3, rows: 1) }
///     func draw(on surface: inout Surface<Bool>) {
///         surface.write(isOn ? "[x]" : "[ ]", style: surface.isFocused ? .inverse : .plain)
///         surface.onInput { [isOn] input in input == .key(" ") ? [!isOn] : nil }
///     }
/// }
/// ```
public struct Surface<Event: Sendable> {
    let stage: Stage
    let regions: Regions<Event>
    /// The area in the frame without clipping.
    let rect: Rect
    /// The clip in the frame.
    let clip: Rect
    /// The number of the view.
    let node: Int
    /// The dialog of the view.
    let scope: Int
    /// Indicates whether the surface is the whole view and not a part of it.
    let takesInput: Bool
    /// Indicates whether the view and its children may have the focus.
    let mayFocus: Bool
    /// The number of children.
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

    /// The visible part of the view, in its own coordinates.
    public var visible: Rect {
        Rect(
            origin: Point(column: clip.origin.column - rect.origin.column, row: clip.origin.row - rect.origin.row),
            size: clip.size)
    }

    /// Indicates whether the view has the focus.
    public var isFocused: Bool { stage.focus == node }

    /// The memory of the view.
    package var memory: ViewMemory {
        get { stage.identities[node] }
        nonmutating set { stage.identities[node] = newValue }
    }

    /// A part of the view with its own coordinates and clipping. It takes no input.
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
    ///   - point: The first cell.
    ///   - style: The style.
    /// - Returns: The columns that the text takes.
    @discardableResult
    public func write(_ text: some StringProtocol, at point: Point = .zero, style: Style = .plain) -> Int {
        stage.canvas.write(text, at: absolute(point), style: style, clip: clip)
    }

    /// Writes styled text in one row.
    ///
    /// - Parameters:
    ///   - text: The text. Control characters are made visible.
    ///   - point: The first cell.
    /// - Returns: The columns that the text takes.
    @discardableResult
    public func write(_ text: StyledText, at point: Point = .zero) -> Int {
        stage.canvas.write(text, at: absolute(point), clip: clip)
    }

    /// Writes a line of plain text, truncated with an ellipsis.
    func writeLine(_ text: String) {
        if text.exceeds(size.columns) { write(StyledText(text).truncated(to: size.columns)) } else { write(text) }
    }

    /// Fills a part of the view, or all of it.
    public func fill(_ part: Rect? = nil, with character: Character = " ", style: Style = .plain) {
        stage.canvas.fill(absolute(part), with: character, style: style)
    }

    /// Changes the styles of cells in a part of the view, or in all of it.
    package func restyle(_ part: Rect? = nil, _ change: (inout Style) -> Void) { stage.canvas.restyle(absolute(part), change) }

    /// Shows the terminal's cursor in a cell, if the view has the focus and the cell is visible.
    public func showCursor(at point: Point) {
        let place = absolute(point)
        if isFocused, clip.contains(place) { stage.canvas.cursor = place }
    }

    // MARK: - Other views

    /// Draws another view in a part of this one.
    ///
    /// Views are identified by their ``View/id(_:)``, or else by the order in which they are added.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - part: The part; nil for all of this view.
    public mutating func add(_ view: some View<Event>, in part: Rect? = nil) {
        children += 1
        add(view, in: part ?? Rect(origin: .zero, size: size), place: ViewPlace(number: children))
    }

    /// Draws a child view.
    func add<Child: View<Event>>(_ view: Child, in part: Rect, place: ViewPlace) {
        let id = view.traits.id
        let key = NodeKey(
            parent: node, type: ObjectIdentifier(Child.self), place: id == nil ? place : ViewPlace(number: 0), id: id)
        draw(view, in: part, node: stage.identities.number(key))
    }

    /// Draws a view in a part of this one.
    ///
    /// - Parameters:
    ///   - node: The number of the view; nil to share this view's focus and memory.
    ///   - scope: The dialog of the view; nil for that of this one.
    ///   - clip: The clip in this view's coordinates; nil for all.
    ///   - mayFocus: False to prevent the focus. Within a view that may not have the focus, only a dialog may.
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

    /// Draws a view with other events, which shares this view's focus and memory.
    func draw<Child: View>(_ view: Child, map transform: @escaping @Sendable (Child.Event) -> Event) {
        let inner = Regions<Child.Event>()
        var surface = Surface<Child.Event>(
            stage: stage, regions: inner, rect: rect, clip: clip, node: node, scope: scope, takesInput: takesInput,
            mayFocus: mayFocus)
        view.draw(on: &surface)
        for region in inner.all { regions.all.append(region.mapped(transform)) }
    }

    /// Draws a view as a dialog, which receives all input and keeps the focus.
    func drawModally(_ view: some View<Event>, in part: Rect) {
        stage.scopes.append(node)
        draw(view, in: part, scope: node)
    }

    // MARK: - Input

    /// Registers a handler of the view's input.
    ///
    /// - Parameters:
    ///   - focusing: The view's use of keys.
    ///   - handler: Returns events, maybe none, or nil to pass the input on to other views. The mouse's place is in the view's
    ///     own coordinates.
    public mutating func onInput(
        _ focusing: Focusing = .keys, _ handler: @escaping @Sendable (InputEvent) -> [Event]?
    ) {
        onInput(focusing) { input, _ in handler(input) }
    }

    /// Registers a handler that may also change the view's memory. The view is then drawn again.
    package mutating func onInput(
        _ focusing: Focusing = .keys, _ handler: @escaping @Sendable (InputEvent, inout ViewMemory) -> [Event]?
    ) {
        guard takesInput else { return }
        regions.all.append(
            Region(
                node: node, visible: clip, rect: rect, focusing: focusing, mayFocus: mayFocus && focusing != .none, scope: scope,
                handler: handler))
    }

    /// Requests the focus when a condition becomes true.
    func takeFocus(when condition: Bool) {
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

/// A view's use of keys.
public enum Focusing: Hashable, Sendable {
    /// The view cannot have the focus.
    case none
    /// The view can have the focus. Without it, the view receives keys that no other view has handled.
    case keys
    /// The view takes text, only while it has the focus. At first, the first of these views has the focus.
    case text
}

/// An area of the frame that takes input.
struct Region<Event: Sendable>: Sendable {
    /// The number of the view.
    let node: Int
    /// The visible part of the frame.
    let visible: Rect
    /// The view's frame without clipping.
    let rect: Rect
    let focusing: Focusing
    /// Indicates whether the view can have the focus: ``View/focused(when:)`` may prevent it.
    let mayFocus: Bool
    /// The dialog of the view; the root if there is none.
    let scope: Int
    /// Returns events, or nil if the input is not handled.
    let handler: @Sendable (InputEvent, inout ViewMemory) -> [Event]?

    /// The region with its events mapped to those of a parent.
    func mapped<Parent: Sendable>(_ transform: @escaping @Sendable (Event) -> Parent) -> Region<Parent> {
        Region<Parent>(
            node: node, visible: visible, rect: rect, focusing: focusing, mayFocus: mayFocus, scope: scope,
            handler: { [handler] input, memory in handler(input, &memory)?.map(transform) })
    }
}

/// The regions of all views with the same events, in drawing order.
final class Regions<Event: Sendable> {
    var all: [Region<Event>] = []
}

/// The frame that all surfaces draw on, independent of the type of events.
final class Stage {
    var canvas = Canvas(size: .zero)
    var identities = Identities()
    /// The view that is drawn with the focus.
    let focus: Int?
    /// The dialogs, in drawing order.
    var scopes: [Int] = [Identities.root]
    /// The view that requested the focus last.
    var wish: Int?
    /// Indicates whether a view was scrolled while it was drawn, so that the frame must be drawn again.
    var isScrolled = false

    init(focus: Int?) { self.focus = focus }
}

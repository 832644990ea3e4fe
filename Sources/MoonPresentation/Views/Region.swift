/// A view's use of keys.
public enum Focusing: Hashable, Sendable {
    /// It cannot have the focus.
    case none
    /// It can have the focus. If it does not have it, it is offered the keys that nobody else wants.
    case keys
    /// It takes text, and only while it has the focus. If no view is focused yet, the first of these is
    /// that may have the focus.
    case text
}

/// A part of the frame that takes input.
struct Region<Event: Sendable>: Sendable {
    /// The number of the view.
    let node: Int
    /// The part of the frame in which it is seen.
    let visible: Rect
    /// The view's cells, as if nothing were cut off.
    let rect: Rect
    let focusing: Focusing
    /// Indicates whether the view can have the focus now: not if it, or a view around it, is told not to.
    let mayFocus: Bool
    /// The dialog that it belongs to; the container of all if it belongs to none.
    let scope: Int
    /// Answers with events; with nil if the input is not wanted.
    let handler: @Sendable (InputEvent, inout ViewMemory) -> [Event]?

    /// The region of a view whose events become those of its parent.
    func mapped<Parent: Sendable>(_ transform: @escaping @Sendable (Event) -> Parent) -> Region<Parent> {
        Region<Parent>(
            node: node, visible: visible, rect: rect, focusing: focusing, mayFocus: mayFocus, scope: scope,
            handler: { [handler] input, memory in handler(input, &memory)?.map(transform) })
    }
}

/// The parts that take input of all views with the same events, in the order in which they were drawn.
final class Regions<Event: Sendable> {
    var all: [Region<Event>] = []
}

/// The frame that all surfaces draw on, whatever the type of their events.
final class Stage {
    var canvas = Canvas(size: .zero)
    var identities = Identities()
    /// The view that has the focus, as far as that is known while the frame is drawn.
    let focus: Int?
    /// The dialogs, in the order in which they were drawn.
    var scopes: [Int] = [Identities.root]
    /// The view that asked for the focus last.
    var wish: Int?
    /// Indicates whether something was scrolled while it was drawn, so that the frame has to be drawn again.
    var isScrolled = false
    /// The issues of nested layouts.
    var issues: [LayoutIssue] = []

    init(focus: Int?) { self.focus = focus }

    /// Changes styles by a function of a view's. What it draws meanwhile is lost.
    func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        var lent = Canvas(size: .zero)
        swap(&lent, &canvas)
        lent.restyle(rect, change)
        swap(&lent, &canvas)
    }
}

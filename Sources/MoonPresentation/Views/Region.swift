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
    /// Whether the view can have the focus now: not if it, or a view around it, is told not to.
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

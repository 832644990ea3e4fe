/// What a view does with keys.
public enum Focusing: Hashable, Sendable {
    /// It cannot have the focus.
    case none
    /// It can have the focus. If it does not have it, it is offered the keys that nobody else wants.
    case keys
    /// It takes text, and only while it has the focus. If no view is focused yet, the first of these is.
    case text
}

/// A part of the frame that takes input.
struct Region<Event: Sendable>: Sendable {
    /// What answers with events; nil if the input is not wanted.
    typealias Handler = @Sendable (Input, inout ViewMemory) -> [Event]?

    /// The number of the view.
    let node: Int
    /// The part of the frame in which it is seen.
    let visible: Rect
    /// The view's cells, as if nothing were cut off.
    let rect: Rect
    let focusing: Focusing
    /// The dialog that it belongs to; the container of all if it belongs to none.
    let scope: Int
    let handler: Handler

    func map<Parent>(_ transform: @escaping @Sendable (Event) -> Parent) -> Region<Parent> {
        let handler = handler
        return Region<Parent>(
            node: node, visible: visible, rect: rect, focusing: focusing, scope: scope,
            handler: { input, memory in handler(input, &memory)?.map(transform) })
    }
}

/// What a view does with keys.
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
///
/// It is not generic, so that code which goes through regions asks the runtime for no types: its events are those of the frame.
struct Region: Sendable {
    /// What answers with events; nil if the input is not wanted.
    typealias Handler<Event> = @Sendable (InputEvent, inout ViewMemory) -> [Event]?

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
    /// Calls the handler, and puts its answer where a pointer leads to.
    private var answer: @Sendable (InputEvent, inout ViewMemory, UnsafeMutableRawPointer) -> Void

    init<Event: Sendable>(
        node: Int, visible: Rect, rect: Rect, focusing: Focusing, mayFocus: Bool, scope: Int,
        _ handler: @escaping Handler<Event>
    ) {
        self.node = node
        self.visible = visible
        self.rect = rect
        self.focusing = focusing
        self.mayFocus = mayFocus && focusing != .none
        self.scope = scope
        answer = Self.answer(handler)
    }

    private static func answer<Event: Sendable>(
        _ handler: @escaping Handler<Event>
    ) -> @Sendable (InputEvent, inout ViewMemory, UnsafeMutableRawPointer) -> Void {
        { input, memory, answer in answer.assumingMemoryBound(to: [Event]?.self).pointee = handler(input, &memory) }
    }

    /// The handler's answer. `Event` must be the type of the events that the view was drawn with.
    func events<Event: Sendable>(of input: InputEvent, _ memory: inout ViewMemory) -> [Event]? {
        var events: [Event]?
        withUnsafeMutablePointer(to: &events) { answer(input, &memory, UnsafeMutableRawPointer($0)) }
        return events
    }

    /// Makes events of a parent of those of its child.
    mutating func map<Event: Sendable, Parent: Sendable>(_ transform: @escaping @Sendable (Event) -> Parent) {
        let child = self
        answer = Self.answer { input, memory in
            let events: [Event]? = child.events(of: input, &memory)
            return events?.map(transform)
        }
    }
}

/// The view state that is kept for a view from frame to frame, and is no part of the program's state: how far it is scrolled.
///
/// It begins anew for a view that was not in the last frame.
public struct ViewMemory: Hashable, Sendable {
    /// The cell of the content that stands in the upper left corner.
    public var offset = Point.zero
    /// The item that the view was last scrolled to, so that it is not scrolled there again against the user's will.
    var revealed: Int?
    /// A number of the view's own, such as where a drag began.
    var mark: Int?
    /// The number of cells when ``mark`` was set, for a mark that is a part of them.
    var markRoom: Int?
    /// Indicates whether the view asked for the focus when it was last drawn.
    var wantedFocus = false

    /// Nothing is remembered.
    public init() {}
}

/// What all surfaces of a frame draw on.
final class Stage {
    var canvas: Canvas
    var identities = Identities()
    /// The view that has the focus, as far as that is known while the frame is drawn.
    let focus: Int?
    /// The dialogs, in the order in which they were drawn.
    var scopes: [Int] = [Identities.root]
    /// The view that asked for the focus last.
    var wish: Int?
    /// Whether something was scrolled while it was drawn, so that the frame has to be drawn again.
    var isScrolled = false
    /// The issues of nested layouts.
    var issues: [LayoutIssue] = []

    init(canvas: Canvas, focus: Int?) {
        self.canvas = canvas
        self.focus = focus
    }
}

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
    /// Whether something was scrolled while it was drawn, so that the frame has to be drawn again.
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

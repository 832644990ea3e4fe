/// What all surfaces of a frame draw on.
final class Stage {
    // Exclusive access is not checked: a stage belongs to the call that draws a frame, and no code of a view runs during an access.
    @exclusivity(unchecked) var canvas = Canvas(size: .zero)
    @exclusivity(unchecked) var identities = Identities()
    /// The parts that take input, in the order in which they were drawn.
    @exclusivity(unchecked) var regions: [Region] = []
    /// The view that has the focus, as far as that is known while the frame is drawn.
    @exclusivity(unchecked) private(set) var focus: Int?
    /// The dialogs, in the order in which they were drawn.
    @exclusivity(unchecked) var scopes: [Int] = [Identities.root]
    /// The view that asked for the focus last.
    @exclusivity(unchecked) var wish: Int?
    /// Whether something was scrolled while it was drawn, so that the frame has to be drawn again.
    @exclusivity(unchecked) var isScrolled = false
    /// The issues of nested layouts.
    @exclusivity(unchecked) var issues: [LayoutIssue] = []

    /// Begins a frame, in the memory of an earlier one.
    func begin(size: Size, focus: Int?) {
        canvas.reset(size: size)
        if scopes.count > 1 { scopes = [Identities.root] }
        self.focus = focus
        wish = nil
        isScrolled = false
        if issues.count > 0 { issues = [] }
    }

    /// Changes styles by a function of a view's. What it draws meanwhile is lost.
    func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        var lent = Canvas(size: .zero)
        swap(&lent, &canvas)
        lent.restyle(rect, change)
        swap(&lent, &canvas)
    }
}

/// The view state of a program, which lies between its frames: which view has the focus, and how far views are scrolled.
///
/// It makes frames of a state, and events of input. It knows no terminal. It is a value, so that a plan can fork it.
package struct Presentation<Event: Sendable> {
    /// The title that the last frame gave the window, if it did.
    package private(set) var title: String?
    /// The constraints of the last frame that could not be satisfied.
    package private(set) var issues: [LayoutIssue] = []
    /// Indicates whether the view state has changed since the last frame, so that another one should be made of the same state.
    package internal(set) var needsFrame = true
    /// Lines for the views beside the state: see ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] = [] { didSet { if notes != oldValue { needsFrame = true } } }

    /// The regions of the last frame, in the order in which they were drawn.
    private(set) var regions: [Region<Event>] = []
    var identities = Identities()
    /// The dialogs that are open, the uppermost last; the container of all is the first.
    private(set) var scopes = [Identities.root]
    /// The view that has the focus, for each dialog.
    var focus = FocusTable()
    /// The view that was drawn with the focus.
    var drawnFocus: Int?
    /// The view that a mouse button was pressed in, until it is released.
    var pressed: Int?

    /// The last frame.
    package private(set) var canvas = Canvas(size: .zero)
    /// The frame before the last one, in whose memory the next one is drawn.
    private var spare = Canvas(size: .zero)
    private var layout = ScreenLayout()

    /// Creates a presentation without any frame.
    package init() {}

    /// Indicates whether the last frame has that size, and the view state has not changed since.
    func isCurrent(_ size: Size) -> Bool { !needsFrame && canvas.size == size }

    /// Makes a frame.
    ///
    /// - Parameters:
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen.
    @discardableResult
    package mutating func frame(_ size: Size, _ build: (LayoutScreen<Event>) throws -> Void) rethrows -> Canvas {
        let screen = LayoutScreen<Event>(size: size, notes: notes, last: layout)
        try build(screen)
        layout = screen.solve(in: Rect(origin: .zero, size: size))
        drawnFocus = focus[scope]
        var isScrolled = draw(screen)
        // A view may have taken the focus only by being drawn.
        if settleFocus() { isScrolled = draw(screen) }
        if isScrolled { _ = draw(screen) }
        title = screen.title
        needsFrame = false
        return canvas
    }

    /// Draws a frame.
    ///
    /// - Returns: Whether something was scrolled while it was drawn, so that it has to be drawn again.
    private mutating func draw(_ screen: LayoutScreen<Event>) -> Bool {
        let stage = Stage(focus: drawnFocus)
        // Lent, so that they are changed in their own memory.
        swap(&stage.canvas, &spare)
        swap(&stage.identities, &identities)
        stage.canvas.reset(size: screen.size)
        stage.identities.begin()
        let drawn = Regions<Event>()
        drawn.all.reserveCapacity(regions.count)
        let bounds = stage.canvas.bounds
        screen.draw(on: Surface(stage: stage, regions: drawn, rect: bounds, clip: bounds), in: layout.solution.frames)
        stage.identities.end()
        swap(&stage.identities, &identities)
        spare = canvas
        canvas = stage.canvas
        regions = drawn.all
        scopes = stage.scopes
        issues = layout.solution.issues + stage.issues
        if let wish = stage.wish { grant(wish) }
        return stage.isScrolled
    }

    /// Throws the first issue of the last frame's layout, if there is any.
    package func checkLayout() throws(LayoutIssue) {
        if let first = issues.first { throw first }
    }
}

/// What lies between the frames of a program, without the type of its events: see ``Presentation``.
///
/// It is not generic, so that it does not ask the runtime for types. All frames of one must have the same type of events.
struct PresentationCore {
    /// The title that the last frame gave the window, if it did.
    private(set) var title: String?
    /// What the constraints of the last frame could not satisfy.
    private(set) var issues: [LayoutIssue] = []
    /// Whether what lies between the frames has changed since the last frame.
    var needsFrame = true

    /// What the views are told beside the state.
    var notes: [String] = [] { didSet { if notes != oldValue { needsFrame = true } } }

    /// The regions of the last frame, in the order in which they were drawn.
    var regions: [Region] = []
    var identities = Identities()
    /// The dialogs that are open, the uppermost last; the container of all is the first.
    var scopes = [Identities.root]
    /// The view that has the focus, for each dialog.
    var focus = FocusTable()
    /// The view that was drawn with the focus.
    var drawnFocus: Int?
    /// The view that a mouse button was pressed in, until it is let go of.
    var pressed: Int?

    /// The last frame.
    private(set) var canvas = Canvas(size: .zero)
    /// What the last frame was drawn on, with the canvas of the one before it. It is drawn on again if nobody else has it.
    private var stage: Stage?
    private var layout = ScreenLayout()

    /// Whether the last frame has that size and nothing has changed between the frames.
    func isCurrent(_ size: Size) -> Bool { !needsFrame && canvas.size == size }

    /// Makes a frame, which is then ``canvas``.
    mutating func makeFrame<Event>(_ size: Size, _ build: (LayoutScreen<Event>) throws -> Void) rethrows {
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
    }

    /// Draws a frame.
    ///
    /// - Returns: Whether something was scrolled while it was drawn, so that it has to be drawn again.
    private mutating func draw<Event>(_ screen: LayoutScreen<Event>) -> Bool {
        if !isKnownUniquelyReferenced(&stage) { stage = nil }
        let stage = stage ?? Stage()
        self.stage = stage
        stage.begin(size: screen.size, focus: drawnFocus)
        swap(&stage.identities, &identities)
        stage.identities.begin()
        let bounds = stage.canvas.bounds
        let patch = Patch(
            stage: stage, rect: bounds, clip: bounds, node: Identities.root, scope: Identities.root, takesInput: true,
            mayFocus: true)
        screen.draw(on: patch, in: layout.solution.frames)
        stage.identities.end()
        swap(&stage.identities, &identities)
        swap(&stage.regions, &regions)
        // What the handlers of the last frame have captured is let go of.
        stage.regions.removeAll(keepingCapacity: true)
        swap(&canvas, &stage.canvas)
        if scopes != stage.scopes { scopes = stage.scopes }
        issues = stage.issues.isEmpty ? layout.solution.issues : layout.solution.issues + stage.issues
        if let wish = stage.wish { grant(wish) }
        return stage.isScrolled
    }
}

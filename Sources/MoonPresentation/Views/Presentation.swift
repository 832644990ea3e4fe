/// What lies between the frames of a program: which view has the focus, and how far views are scrolled.
///
/// It makes frames of a state, and events of input. It knows no terminal, so that a test can look at each frame, and press keys:
///
/// ```swift
/// var presentation = Presentation<NoteEvent>()
/// let frame = presentation.frame(Size(columns: 40, rows: 10)) { screen in view(of: state, on: screen) }
/// let events = presentation.take(.key(.down))
/// ```
///
/// Events are commands, such as "move down": what they mean is decided by the reducer, with the state of that moment.
public struct Presentation<Event: Sendable> {
    /// The title that the last frame gave the window, if it did.
    public private(set) var title: String?
    /// What the constraints of the last frame could not satisfy.
    public private(set) var issues: [LayoutIssue] = []
    /// Whether what lies between the frames has changed since the last frame, so that another one should be made of the same state.
    public internal(set) var needsFrame = true

    /// What the views are told beside the state.
    var notes: [String] = [] { didSet { if notes != oldValue { needsFrame = true } } }

    /// The regions of the last frame, in the order in which they were drawn.
    var regions: [Region<Event>] = []
    var identities = Identities()
    /// The dialogs that are open, the uppermost last; the container of all is the first.
    var scopes = [Identities.root]
    /// The view that has the focus, for each dialog.
    var focus: [Int: Int] = [:]
    /// The view that was drawn with the focus.
    var drawnFocus: Int?
    /// The view that a mouse button was pressed in, until it is let go of.
    var pressed: Int?

    private var canvas = Canvas(size: .zero)
    private var spare = Canvas(size: .zero)
    private var state: Any?

    /// Creates a presentation without any frame.
    public init() {}

    /// Makes a frame.
    ///
    /// - Parameters:
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen.
    public mutating func frame(_ size: Size, _ build: (Screen<Event>) throws -> Void) rethrows -> Canvas {
        let screen = Screen<Event>(size: size, notes: notes)
        try build(screen)
        let solution = screen.solve(in: Rect(origin: .zero, size: size))
        drawnFocus = focus[scope]
        var isScrolled = draw(screen, solution)
        // A view may have taken the focus only by being drawn.
        if settleFocus() { isScrolled = draw(screen, solution) }
        if isScrolled { _ = draw(screen, solution) }
        title = screen.title
        needsFrame = false
        state = nil
        return canvas
    }

    /// Makes a frame of a state, if the state, the size or what lies between the frames has changed. Otherwise it is the last frame,
    /// without any view being made.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen. It must depend on nothing but the state and the screen.
    public mutating func frame<State: Equatable>(
        of state: State, _ size: Size, _ build: (State, Screen<Event>) throws -> Void
    ) rethrows -> Canvas {
        if let frame = lastFrame(size), let last = self.state as? State, last == state { return frame }
        _ = try frame(size) { screen in try build(state, screen) }
        self.state = state
        return canvas
    }

    /// The last frame, if it has that size and nothing has changed between the frames.
    func lastFrame(_ size: Size) -> Canvas? { !needsFrame && canvas.size == size ? canvas : nil }

    /// Throws the first issue of the last frame's layout, if there is any. Meant for tests; programs draw as much as can be satisfied.
    public func checkLayout() throws(LayoutIssue) {
        if let first = issues.first { throw first }
    }

    /// Draws a frame.
    ///
    /// - Returns: Whether something was scrolled while it was drawn, so that it has to be drawn again.
    private mutating func draw(_ screen: Screen<Event>, _ solution: LayoutSolver.Solution) -> Bool {
        // The canvas of the last frame but one is drawn on again: nobody looks at it any more.
        var next = Canvas(size: .zero)
        swap(&next, &spare)
        next.reset(size: screen.size)
        let stage = Stage(canvas: next, focus: drawnFocus)
        next = Canvas(size: .zero)
        swap(&stage.identities, &identities)
        stage.identities.begin()
        var surface = Surface<Event>(
            stage: stage, rect: stage.canvas.bounds, clip: stage.canvas.bounds, node: Identities.root, scope: Identities.root)
        screen.draw(on: &surface, in: solution.frames)
        regions = surface.regions
        stage.identities.end()
        swap(&stage.identities, &identities)
        swap(&canvas, &spare)
        swap(&canvas, &stage.canvas)
        scopes = stage.scopes
        issues = solution.issues + stage.issues
        if let wish = stage.wish { grant(wish) }
        return stage.isScrolled
    }
}

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
    var core = PresentationCore()
    private var state: Any?

    /// The title that the last frame gave the window, if it did.
    public var title: String? { core.title }
    /// What the constraints of the last frame could not satisfy.
    public var issues: [LayoutIssue] { core.issues }
    /// Whether what lies between the frames has changed since the last frame, so that another one should be made of the same state.
    public var needsFrame: Bool { core.needsFrame }

    /// Creates a presentation without any frame.
    public init() {}

    /// Makes a frame.
    ///
    /// - Parameters:
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen.
    public mutating func frame(_ size: Size, _ build: (LayoutScreen<Event>) throws -> Void) rethrows -> Canvas {
        try core.makeFrame(size, build)
        state = nil
        return core.canvas
    }

    /// Makes a frame of a state, if the state, the size or what lies between the frames has changed. Otherwise it is the last frame,
    /// without any view being made.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - size: The size of the terminal.
    ///   - build: Adds views to a screen. It must depend on nothing but the state and the screen.
    public mutating func frame<State: Equatable>(
        of state: State, _ size: Size, _ build: (State, LayoutScreen<Event>) throws -> Void
    ) rethrows -> Canvas {
        if core.isCurrent(size), let last = self.state as? State, last == state { return core.canvas }
        _ = try frame(size) { screen in try build(state, screen) }
        self.state = state
        return core.canvas
    }

    /// Throws the first issue of the last frame's layout, if there is any. Meant for tests; programs draw as much as can be satisfied.
    public func checkLayout() throws(LayoutIssue) {
        if let first = issues.first { throw first }
    }
}

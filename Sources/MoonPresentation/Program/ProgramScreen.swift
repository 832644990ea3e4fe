/// The screen of a program without its loop: the frame of a state, and the meaning of input.
///
/// A value that running programs and plans share, so that keys have the same meaning in both.
package struct ProgramScreen<State: Equatable & Sendable, Event: Sendable> {
    private let settings: ProgramSettings<State, Event>
    private(set) var presentation = Presentation<Event>()
    /// The state of the last frame.
    private var shown: State?
    /// The size of the frames, which may be smaller than the terminal.
    package private(set) var size: Size

    /// - Parameters:
    ///   - settings: The program's settings.
    ///   - size: The size of the terminal.
    init(_ settings: ProgramSettings<State, Event>, size: Size) {
        self.settings = settings
        self.size = Canvas.bounded(settings.display.size(in: size))
    }

    /// The lines of ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] {
        get { presentation.notes }
        set { presentation.notes = newValue }
    }

    /// The window's title by the last frame.
    package var title: String? { presentation.title }

    /// The frame of a state.
    package mutating func frame(of state: State) throws -> Canvas {
        try show(state)
        return presentation.canvas
    }

    /// Makes the frame of a state, unless it is the current one.
    mutating func show(_ state: State) throws {
        if presentation.isCurrent(size), shown == state { return }
        let build = settings.build
        try presentation.frame(size) { screen in try build(state, screen) }
        shown = state
    }

    /// Handles an input by the views and keys of a state.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - state: The current state.
    /// - Throws: The error of the view.
    package mutating func take(_ input: InputEvent, in state: State) throws -> InputOutcome<Event> {
        var input = input
        switch input {
        case .resize(let size):
            self.size = Canvas.bounded(settings.display.size(in: size))
            input = .resize(self.size)
        // A report counts the rows of the terminal, and the row at which an inline frame begins is not known.
        case .mouse where settings.display.isInline: return .events([])
        default: break
        }
        try show(state)
        let outcome = presentation.outcome(of: input, keys: { [settings] in settings.outcome(of: $0, in: state) })
        if let outcome { return outcome }
        // A click has moved the focus.
        if presentation.needsFrame { return .events([]) }
        if let event = settings.event(for: input, in: state) { return .events([event]) }
        switch input {
        case .key(.control("c")): return .quit
        case .key(.control("z")): return .suspend
        default: return .events([])
        }
    }

    /// Indicates whether a state ends the program.
    package func isOver(in state: State) -> Bool { settings.isOver?(state) == true }
}

/// A program's screen without its loop: what is shown of a state, and what input means there.
///
/// It is a value, which a running program and a plan have each, so that a key means the same in both.
package struct ProgramScreen<State: Equatable & Sendable, Event: Sendable> {
    private let settings: ProgramSettings<State, Event>
    private(set) var presentation = Presentation<Event>()
    /// The state of the last frame.
    private var shown: State?
    /// The size of the frames.
    package private(set) var size: Size

    init(_ settings: ProgramSettings<State, Event>, size: Size) {
        self.settings = settings
        self.size = size
    }

    /// What the view is told beside the state: see ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] {
        get { presentation.notes }
        set { presentation.notes = newValue }
    }

    /// The title that the last frame gave the window.
    package var title: String? { presentation.title }

    /// The frame of a state.
    package mutating func frame(of state: State) throws -> Canvas {
        try show(state)
        return presentation.canvas
    }

    /// Makes the frame of a state, unless it is the last one.
    mutating func show(_ state: State) throws {
        if presentation.isCurrent(size), shown == state { return }
        let build = settings.build
        try presentation.frame(size) { screen in try build(state, screen) }
        shown = state
    }

    /// What an input leads to: views and keys of the state of this moment decide.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - state: The state of this moment.
    /// - Throws: The error that the view throws of the state.
    package mutating func take(_ input: InputEvent, in state: State) throws -> InputOutcome<Event> {
        if case .resize(let size) = input { self.size = size }
        try show(state)
        let outcome = presentation.outcome(of: input, keys: { [settings] in settings.outcome(of: $0, in: state) })
        guard case .events(let events) = outcome, events.isEmpty, !presentation.needsFrame else { return outcome }
        if let event = settings.event(for: input, in: state) { return .events([event]) }
        switch input {
        case .key(.control("c")): return .quit
        case .key(.control("z")): return .suspend
        default: return .events([])
        }
    }

    /// Indicates whether a state says that the program is over.
    package func isOver(in state: State) -> Bool { settings.isOver?(state) == true }
}

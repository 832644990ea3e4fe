/// A program's screen without its loop: what is shown of a state, and what input means there.
///
/// It is a value, which a running program and a plan have each, so that a key means the same in both.
package struct ProgramScreen<State: Equatable & Sendable, Event: Sendable> {
    private let held: HeldSettings<State, Event>
    private(set) var core = PresentationCore()
    /// Whether a state is that of the last frame. Its type is known here: the presentation would have to cast it for each key.
    private var isShown: ((State) -> Bool)?
    /// The size of the frames.
    package private(set) var size: Size

    init(_ settings: ProgramSettings<State, Event>, size: Size) { (held, self.size) = (HeldSettings(settings), size) }

    /// What the view is told beside the state: see ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] {
        get { core.notes }
        set { core.notes = newValue }
    }

    /// The title that the last frame gave the window.
    package var title: String? { core.title }

    /// The frame of a state.
    package mutating func frame(of state: State) throws -> Canvas {
        try show(state)
        return core.canvas
    }

    /// Makes the frame of a state, unless it is the last one.
    mutating func show(_ state: State) throws {
        if core.isCurrent(size), let isShown, isShown(state) { return }
        let build = held.settings.build
        try core.makeFrame(size) { screen in try build(state, screen) }
        isShown = { $0 == state }
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
        let outcome = core.outcome(of: input, keys: { [held] in held.settings.outcome(of: $0, in: state) })
        // Not `isEmpty`: here it is not specialized.
        guard case .events(let events) = outcome, events.count == 0, !core.needsFrame else { return outcome }
        if let event = held.settings.event(for: input, in: state) { return .events([event]) }
        switch input {
        case .key(.control("c")): return .quit
        case .key(.control("z")): return .suspend
        default: return .events([])
        }
    }

    /// Whether a state says that the program is over.
    package func isOver(in state: State) -> Bool { held.settings.isOver?(state) == true }
}

/// The settings, in an object, which takes less to pass on than all of them.
private final class HeldSettings<State: Equatable & Sendable, Event: Sendable>: Sendable {
    let settings: ProgramSettings<State, Event>

    init(_ settings: ProgramSettings<State, Event>) { self.settings = settings }
}

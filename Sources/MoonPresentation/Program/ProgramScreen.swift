/// A program's screen without its loop: what is shown of a state, and what input means there.
///
/// It is a value, which a running program and a plan have each, so that a key means the same in both.
package struct ProgramScreen<State: Equatable & Sendable, Event: Sendable> {
    /// What input leads to.
    package enum Action {
        /// An event is sent to the loop.
        case send(Event)
        /// The program ends.
        case quit
        /// The program is suspended.
        case suspend
    }

    private let settings: ProgramSettings<State, Event>
    private var presentation = Presentation<Event>()
    /// The state of the last frame. Kept here, where its type is known: the presentation would have to cast it for each key.
    private var shown: State?
    /// The size of the frames.
    package private(set) var size: Size

    init(_ settings: ProgramSettings<State, Event>, size: Size) { (self.settings, self.size) = (settings, size) }

    /// Whether another frame should be made of the same state.
    var needsFrame: Bool { presentation.needsFrame }

    /// What the view is told beside the state: see ``Program/notes(keeping:untilChange:_:)``.
    package var notes: [String] {
        get { presentation.notes }
        set { presentation.notes = newValue }
    }

    /// The title that the last frame gave the window.
    package var title: String? { presentation.title }

    /// The frame of a state.
    package mutating func frame(of state: State) throws -> Canvas {
        if let last = presentation.lastFrame(size), let shown, shown == state { return last }
        let build = settings.build
        let frame = try presentation.frame(size) { screen in try build(state, screen) }
        shown = state
        return frame
    }

    /// What an input leads to: views and keys of the state of this moment decide.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - state: The state of this moment.
    /// - Returns: What to do, in order.
    /// - Throws: The error that the view throws of the state.
    package mutating func take(_ input: Input, in state: State) throws -> [Action] {
        if case .resize(let size) = input { self.size = size }
        _ = try frame(of: state)
        let actions = presentation.take(input, keys: settings.keys(in: state))
        if !actions.isEmpty || presentation.needsFrame { return actions.map(Action.init) }
        if let event = settings.event(for: input, in: state) { return [.send(event)] }
        switch input {
        case .key(.control("c")): return [.quit]
        case .key(.control("z")): return [.suspend]
        default: return []
        }
    }

    /// Whether a state says that the program is over.
    package func isOver(in state: State) -> Bool { settings.isOver?(state) == true }
}

extension ProgramScreen.Action {
    fileprivate init(_ action: KeyTable<Event>.Action) {
        switch action {
        case .send(let event): self = .send(event)
        case .quit: self = .quit
        }
    }
}

extension Program {
    /// The screen of the program without its loop.
    ///
    /// - Parameter size: The size of the screen.
    /// - Throws: A ``ProgramError`` if the program is wrong in itself, as if a key is in a table twice.
    package func screen(size: Size) throws(ProgramError) -> ProgramScreen<State, Event> {
        try settings.check()
        return ProgramScreen(settings, size: size)
    }

    /// The event that a key of the tables sends in a state: for a plan, which tests the reducer. Views are not asked.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - state: The state at that time.
    /// - Returns: The event; nil if the key sends none, or ends the program.
    package func event(for key: Key, in state: State) -> Event? {
        switch settings.keys(in: state)[key] {
        case .send(let event): event
        case .quit: nil
        case nil: settings.event(for: .key(key), in: state)
        }
    }

    /// The frame of a state: for a plan, or for a picture.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - size: The size of the screen.
    ///   - notes: What the view is told beside the state: see ``LayoutScreen/notes``.
    /// - Throws: The error that the view throws.
    package func frame(of state: State, size: Size, notes: [String] = []) throws -> Canvas {
        var presentation = Presentation<Event>()
        presentation.notes = notes
        return try presentation.frame(size) { try settings.build(state, $0) }
    }
}

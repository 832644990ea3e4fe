extension Presentation {
    /// Takes input, and tells the events of the views that it reaches.
    ///
    /// Keys go to the first of these that wants them:
    ///
    /// 1. Keys with Control, Alt or Command, function keys and Escape: the program's keys. So a program's own commands hold everywhere.
    /// 2. The view that has the focus, and then those that contain it, from the inside out. So letters can be typed into a field,
    ///    whatever they mean elsewhere.
    /// 3. The program's keys.
    /// 4. Tab and Shift-Tab move the focus.
    /// 5. The other views, in the order in which they were drawn, but for those that take text. So arrows move a list while a field has
    ///    the focus.
    ///
    /// Pasted text goes to the view that has the focus. The mouse goes to the uppermost view under it, and then to those that contain
    /// it; a click also moves the focus there. While a dialog is open, only its views take part.
    ///
    /// While a dialog is open, it is asked for Escape before the program is.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - table: The program's keys at that moment.
    /// - Returns: What to do, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    public mutating func take(_ input: InputEvent, keys table: KeyTable<Event>) -> [KeyTable<Event>.Action] {
        switch core.outcome(of: input, keys: { table[$0].map(InputOutcome.init) }) {
        case .events(let events): events.map { .send($0) }
        case .quit: [.quit]
        case .suspend: []
        }
    }

    /// Takes input, and tells the events of the views that it reaches, for a program without keys of its own.
    ///
    /// - Returns: The events, in order. ``needsFrame`` tells whether what lies between the frames has changed.
    public mutating func take(_ input: InputEvent) -> [Event] {
        let outcome: InputOutcome<Event> = core.outcome(of: input, keys: { _ in nil })
        guard case .events(let events) = outcome else { return [] }
        return events
    }
}

/// What input leads to.
package enum InputOutcome<Event> {
    /// Events are sent, maybe none.
    case events([Event])
    /// The program ends.
    case quit
    /// The program is suspended.
    case suspend

    init(_ action: KeyTable<Event>.Action) {
        switch action {
        case .send(let event): self = .events([event])
        case .quit: self = .quit
        }
    }
}

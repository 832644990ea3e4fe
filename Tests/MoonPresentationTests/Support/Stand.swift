import MoonPresentation

/// A view on a screen of its own, with its view state.
struct Stand<Event: Sendable> {
    var presentation = Presentation<Event>()
    var size: Size
    var canvas = Canvas(size: .zero)

    init(_ columns: Int, _ rows: Int) { size = Size(columns: columns, rows: rows) }

    /// Draws a view on the whole screen.
    @discardableResult
    mutating func show(_ view: some View<Event>) -> [String] {
        canvas = presentation.frame(size) { $0.add(view) }
        return canvas.picture
    }

    /// Draws a screen.
    @discardableResult
    mutating func show(_ build: (LayoutScreen<Event>) throws -> Void) rethrows -> [String] {
        canvas = try presentation.frame(size, build)
        return canvas.picture
    }

    /// Presses keys, and returns the events.
    mutating func press(_ keys: Key...) -> [Event] { keys.flatMap { presentation.take(.key($0)) } }

    /// Uses the mouse, and returns the events.
    mutating func mouse(_ action: Mouse.Action, _ column: Int, _ row: Int) -> [Event] {
        presentation.take(.mouse(Mouse(action, at: Point(column: column, row: row))))
    }
}

extension Presentation {
    /// Handles input by the views and by keys, and returns the actions.
    mutating func take(_ input: InputEvent, keys table: KeyTable<Event>) -> [KeyTable<Event>.Action] {
        switch outcome(of: input, keys: { table[$0].map(InputOutcome.init) }) {
        case .events(let events): events.map { .send($0) }
        case .quit: [.quit]
        case .suspend, nil: []
        }
    }

    /// Handles input by the views alone, and returns the events.
    mutating func take(_ input: InputEvent) -> [Event] {
        guard case .events(let events) = outcome(of: input, keys: { _ in nil }) else { return [] }
        return events
    }
}

/// Draws a view without view state.
func picture(_ columns: Int, _ rows: Int, _ view: some View<Never>) -> [String] {
    var stand = Stand<Never>(columns, rows)
    return stand.show(view)
}

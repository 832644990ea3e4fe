/// What a program is told beside its reducer.
struct ProgramSettings<State: Equatable & Sendable, Event: Sendable>: Sendable {
    /// Adds the views of a state to a screen.
    var build: @Sendable (State, LayoutScreen<Event>) throws -> Void
    /// The tables of keys, by what they are for; later ones come before earlier ones.
    var tables: [@Sendable (State) -> KeyTable<Event>?] = []
    /// All tables that are known before a state is, to be checked.
    var known: [KeyTable<Event>] = []
    /// The meaning of input that no view and no table has taken.
    var others: [@Sendable (State, InputEvent) -> Event?] = []
    /// Indicates whether the program is over.
    var isOver: (@Sendable (State) -> Bool)?
    /// What the terminal is asked to report.
    var modes: TerminalModes = [.paste]
    /// Indicates whether the program has the whole screen.
    var display = Display.wholeScreen

    /// The keys that count in a state.
    func keys(in state: State) -> KeyTable<Event> {
        var result: KeyTable<Event>?
        for table in tables.reversed() {
            guard let table = table(state), !table.isEmpty else { continue }
            result = result.map { $0.over(table) } ?? table
        }
        return result ?? KeyTable()
    }

    /// What a key does in a state: the same as in ``keys(in:)``, without making that table.
    func outcome(of key: Key, in state: State) -> InputOutcome<Event>? {
        for table in tables.reversed() {
            if let action = table(state)?[key] { return InputOutcome(action) }
        }
        return nil
    }

    /// Checks what can be checked before the program is run.
    func check() throws(ProgramError) {
        let duplicates = known.flatMap(\.duplicates)
        if !duplicates.isEmpty { throw .duplicateKeys(duplicates) }
    }

    /// What input means that nobody has taken.
    func event(for input: InputEvent, in state: State) -> Event? {
        for meaning in others.reversed() {
            if let event = meaning(state, input) { return event }
        }
        return nil
    }
}

/// The part of the screen on which a program is shown.
public enum Display: Hashable, Sendable {
    /// On a screen of its own, which is gone when the program has ended. What was there before comes back.
    case wholeScreen
    /// Below what was printed last, in so many rows, which stay there when the program has ended.
    case inline(rows: Int)
    /// As lines of text: each time, those that have changed. A screen reader can follow them.
    case lines
}

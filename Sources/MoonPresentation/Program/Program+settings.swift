import Moonlight
import Streams

extension Program {
    /// Adds a table of keys.
    ///
    /// ```swift
    /// program.keys([.control("d"): .remove], quit: [.escape])
    /// ```
    /// <doc:Keys> has the order in which views and tables receive a key. Ctrl-C ends the program and Ctrl-Z suspends it, unless a
    /// table or a view handles them.
    ///
    /// - Parameters:
    ///   - table: The keys. Of several tables with a key, the last one counts.
    ///   - quit: Keys that end the program.
    public func keys(_ table: KeyTable<Event>, quit: [Key] = []) -> Program {
        var table = table
        if !quit.isEmpty { table.append(KeyTable.Line(quit, .quit)) }
        let whole = table
        return changed { settings in
            settings.tables.append { _ in whole }
            settings.known.append(whole)
        }
    }

    /// Adds a table of keys for each mode of the program.
    ///
    /// ```swift
    /// program
    ///     .keys(by: \.mode, [.browse: ["d": .delete, "e": .edit], .edit: [.escape: .browse]])
    ///     .keys([.control("s"): .save], quit: [.control("q")])
    /// ```
    /// The mode is that of the state when the key is handled: of two keys that arrive together, the second is looked up in the
    /// state after the first.
    ///
    /// - Parameters:
    ///   - mode: The mode of a state.
    ///   - tables: The keys of each mode.
    public func keys<Mode: Hashable & Sendable>(
        by mode: @escaping @Sendable (State) -> Mode, _ tables: [Mode: KeyTable<Event>]
    ) -> Program {
        changed { settings in
            settings.tables.append { tables[mode($0)] }
            settings.known += tables.values
        }
    }

    /// Adds a table of keys that depends on the state. It is made for each key, so it should be small.
    ///
    /// - Parameter table: The keys of a state. If a key is there twice, the first line counts.
    public func keys(in table: @escaping @Sendable (State) -> KeyTable<Event>) -> Program {
        changed { $0.tables.append { table($0) } }
    }

    /// Handles input that no view and no table has handled, such as any character, pasted text, the focus or a new size.
    ///
    /// - Parameter meaning: The event for an input in a state; nil for none.
    public func otherInput(_ meaning: @escaping @Sendable (State, InputEvent) -> Event?) -> Program {
        changed { $0.others.append(meaning) }
    }

    /// Enables the mouse. Otherwise, the user can select text in the terminal as usual.
    ///
    /// An inline program has no mouse, because a terminal does not report the row at which its frame begins.
    ///
    /// - Parameter movements: True to report moves without a button, too.
    public func mouse(movements: Bool = false) -> Program {
        changed { $0.modes.formUnion(movements ? [.mouse, .mouseMoves] : .mouse) }
    }

    /// Enables ``InputEvent/focus(_:)``, which reports that the window gains or loses the focus.
    public func reportsFocus() -> Program { changed { $0.modes.insert(.focus) } }

    /// Ends the program by its state.
    ///
    /// - Parameter isOver: Returns true for a state that ends the program. Its frame is the last one, and no later event or effect
    ///   is handled. Called for each state, on the thread that runs the loop.
    public func ends(when isOver: @escaping @Sendable (State) -> Bool) -> Program {
        changed { settings in
            let before = settings.isOver
            settings.isOver = { before?($0) == true || isOver($0) }
        }
    }

    /// Sets the part of the screen on which the program is shown.
    public func display(_ display: Display) -> Program { changed { $0.display = display } }

    /// Adds streams of events, such as timers, connections and reactions to the state.
    ///
    /// ```swift
    /// program.feedback { states, environment in
    ///     [environment.commits().map(Event.arrived).eraseToAnyPublisher()]
    /// }
    /// ```
    /// Dependencies come from the environment, so that a plan can pass stubs.
    ///
    /// - Parameter feedback: Returns the streams, given the states and the environment. Called at each start of the program, by
    ///   the thread that starts it.
    public func feedback(
        _ feedback: @escaping (_ states: AnyPublisher<State, Never>, Environment) -> [AnyPublisher<Event, Never>]
    ) -> Program {
        var program = self
        program.feedbacks.append(feedback)
        return program
    }

    private func changed(_ change: (inout ProgramSettings<State, Event>) -> Void) -> Program {
        var program = self
        change(&program.settings)
        return program
    }
}

/// The settings of a program, apart from its reducer.
struct ProgramSettings<State: Equatable & Sendable, Event: Sendable>: Sendable {
    /// Adds the views of a state to a screen.
    var build: @Sendable (State, LayoutScreen<Event>) throws -> Void
    /// The tables of keys. Later ones take precedence.
    var tables: [@Sendable (State) -> KeyTable<Event>?] = []
    /// The tables that do not depend on the state, to be checked for duplicates.
    var known: [KeyTable<Event>] = []
    /// The handlers of input that no view and no table has handled.
    var others: [@Sendable (State, InputEvent) -> Event?] = []
    /// Indicates whether a state ends the program.
    var isOver: (@Sendable (State) -> Bool)?
    /// The terminal modes of the program.
    var modes: TerminalModes = [.paste]
    /// The part of the screen.
    var display = Display.wholeScreen

    /// The effect of a key in a state.
    func outcome(of key: Key, in state: State) -> InputOutcome<Event>? {
        for table in tables.reversed() {
            if let action = table(state)?[key] { return InputOutcome(action) }
        }
        return nil
    }

    /// Checks the tables for duplicate keys.
    func check() throws(ProgramError) {
        let duplicates = known.flatMap(\.duplicates)
        if !duplicates.isEmpty { throw .duplicateKeys(duplicates) }
    }

    /// The event of input that no view and no table has handled.
    func event(for input: InputEvent, in state: State) -> Event? {
        for meaning in others.reversed() {
            if let event = meaning(state, input) { return event }
        }
        return nil
    }
}

/// The part of the screen on which a program is shown.
public enum Display: Sendable {
    /// The alternate screen. The previous contents return when the program ends.
    case wholeScreen
    /// This number of rows below earlier output. They stay when the program ends. The mouse is not enabled.
    case inline(rows: Int)
    /// Lines of text, for screen readers: of each frame, the lines that have changed.
    case lines
}

import Moonlight
import Streams

extension Program {
    /// Adds keys, and what they send.
    ///
    /// ```swift
    /// program.keys([.control("d"): .remove], quit: [.escape])
    /// ```
    /// The page <doc:Keys> says which keys reach the table before the views do. Ctrl-C ends the program, and Ctrl-Z suspends it, unless a
    /// table or a view has a meaning for them.
    ///
    /// - Parameters:
    ///   - table: The keys. A key that several tables have means what the last of them says.
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

    /// Adds keys that depend on the mode that the program is in.
    ///
    /// ```swift
    /// program
    ///     .keys(by: \.mode, [.browse: ["d": .delete, "e": .edit], .edit: [.escape: .browse]])
    ///     .keys([.control("s"): .save], quit: [.control("q")])
    /// ```
    /// The mode is that of the state at the moment at which a key is handled, not the one that was shown when it was pressed: of two
    /// keys that arrive at once, the second is looked up in the state that the first has led to.
    ///
    /// - Parameters:
    ///   - mode: The mode of a state.
    ///   - tables: The keys of each mode. In a mode without a table, only the other tables count.
    public func keys<Mode: Hashable & Sendable>(
        by mode: @escaping @Sendable (State) -> Mode, _ tables: [Mode: KeyTable<Event>]
    ) -> Program {
        changed { settings in
            settings.tables.append { tables[mode($0)] }
            settings.known += tables.values
        }
    }

    /// Adds keys that depend on the state in any way. The table is made anew for each key, so it should be small.
    ///
    /// - Parameter table: The keys of a state. If it has one key twice, the first line counts.
    public func keys(in table: @escaping @Sendable (State) -> KeyTable<Event>) -> Program {
        changed { $0.tables.append { table($0) } }
    }

    /// Gives a meaning to input that no view and no table of keys has taken, such as any character, pasted text, or the focus.
    ///
    /// - Parameter meaning: The event for an input in a state; nil for none.
    public func otherInput(_ meaning: @escaping @Sendable (State, InputEvent) -> Event?) -> Program {
        changed { $0.others.append(meaning) }
    }

    /// Has the terminal report the mouse. Without this, the user can select text in the terminal as usual.
    ///
    /// - Parameter movements: Whether moves without a button count, too.
    public func mouse(movements: Bool = false) -> Program {
        changed { $0.modes.formUnion(movements ? [.mouse, .mouseMoves] : .mouse) }
    }

    /// Has the terminal report when its window gets the focus, and when it loses it.
    public func reportsFocus() -> Program { changed { $0.modes.insert(.focus) } }

    /// Ends the program as soon as a state says so.
    ///
    /// - Parameter isOver: Whether the program is over. The frame of that state is the last one.
    public func ends(when isOver: @escaping @Sendable (State) -> Bool) -> Program {
        changed { settings in
            let before = settings.isOver
            settings.isOver = { before?($0) == true || isOver($0) }
        }
    }

    /// Shows the program on the whole screen, or in some rows below what was printed last.
    public func display(_ display: Display) -> Program { changed { $0.display = display } }

    /// Adds streams of events beside the keys, as functions of the stream of states: timers, connections, reactions.
    ///
    /// ```swift
    /// program.feedback { states, environment in
    ///     [environment.commits().map(Event.arrived).eraseToAnyPublisher()]
    /// }
    /// ```
    /// What comes from outside is taken from the environment, as in a reducer: a plan passes its stubs there.
    ///
    /// - Parameter feedback: Returns the streams, given the states and the environment. Called once at each start of the program, by
    ///   the thread that starts it.
    public func feedback(_ feedback: @escaping Feedback) -> Program {
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

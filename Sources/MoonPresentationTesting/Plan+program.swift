import MoonPresentation
import Moonlight
import MoonlightTesting
import Streams

extension Plan where State: Sendable, Event: Sendable, Environment: Sendable {
    /// Creates a plan for a terminal program, which presses keys and checks frames.
    ///
    /// ```swift
    /// try Plan(shoppingProgram(), size: Size(columns: 20, rows: 3))
    ///     .type("milk")
    ///     .press(.enter)
    ///     .then(\.lines, equals: ["milk"])
    ///     .looks(like: "> milk\n\nbuy")
    ///     .run()
    /// ```
    /// The plan runs the program's reducer and its feedback, and shows its views on a screen without a terminal. Keys have the
    /// same meaning as in the running program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - size: The size of the screen.
    ///   - state: The initial state; nil for that of the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Returns the environment, made of stubs; nil for that of the program. Called once for the plan and for
    ///     each of its forks.
    /// - Throws: A `ProgramError` if a table has a key twice.
    public init(
        _ program: Program<State, Event, Effect, Environment>, size: Size = Size(columns: 80, rows: 24),
        given state: State? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: ((Stubs) -> Environment)? = nil
    ) throws(ProgramError) {
        let screen = try program.screen(size: size)
        let shared = program.environment
        let feedbacks = program.feedbacks
        let plan = Plan(
            program.reducer, given: state ?? program.initialState,
            feedback: feedbacks.isEmpty ? nil : { states, environment in feedbacks.flatMap { $0(states, environment) } },
            fileID: fileID, file: file, line: line, column: column, environment: environment ?? { _ in shared })
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        self = plan.noting(at: place) { stage in
            let notes = ProgramNotes()
            stage.observeJournal { program.note($0, in: notes) }
            stage.attachment = PlannedScreen(screen, notes)
        }
    }
}

/// The screen of a program in a plan.
struct PlannedScreen<State: Equatable & Sendable, Event: Sendable> {
    private var screen: ProgramScreen<State, Event>
    private let notes: ProgramNotes
    /// True if a key has ended the program.
    var hasQuit = false

    /// The screen of a plan.
    ///
    /// - Throws: A fault if the plan was not made for a program.
    init<Effect>(in stage: PlanStage<State, Event, Effect>) throws {
        guard let kept = stage.attachment as? PlannedScreen else {
            throw PlanFault("the plan has no screen\nCreate it for a program: Plan(program, size: …)")
        }
        self = kept
    }

    init(_ screen: ProgramScreen<State, Event>, _ notes: ProgramNotes) {
        self.screen = screen
        self.notes = notes
    }

    /// The frame of a state.
    mutating func frame(of state: State) throws -> Canvas {
        screen.notes = notes.lines
        return try screen.frame(of: state)
    }

    /// Handles an input by the views and keys of a state.
    mutating func take(_ input: InputEvent, in state: State) throws -> InputOutcome<Event> {
        screen.notes = notes.lines
        return try screen.take(input, in: state)
    }

    /// Indicates whether the program has ended.
    func isOver(in state: State) -> Bool { hasQuit || screen.isOver(in: state) }
}

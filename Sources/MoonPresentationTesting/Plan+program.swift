import MoonPresentation
import Moonlight
import MoonlightTesting
import Streams

extension Plan where State: Sendable, Event: Sendable, Environment: Sendable {
    /// Creates a plan for a program in a terminal, in which keys are pressed and frames are looked at.
    ///
    /// ```swift
    /// try Plan(shoppingProgram(), size: Size(columns: 20, rows: 3))
    ///     .type("milk")
    ///     .press(.enter)
    ///     .then(\.lines, equals: ["milk"])
    ///     .looks(like: "> milk\n\nbuy")
    ///     .run()
    /// ```
    /// The plan runs the program's reducer and its streams of feedback, and shows its views on a screen without a terminal. A key means
    /// what it means in the running program: the view with the focus, tables of keys and the state of that moment decide.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - size: The size of the screen.
    ///   - state: The initial state; nil for that of the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    ///   - environment: Makes the environment out of stubs. It is called once for the plan, and once for each of its forks.
    /// - Throws: A `ProgramError` if the program is wrong in itself, as if a key is in a table twice.
    public init(
        _ program: Program<State, Event, Effect, Environment>, size: Size = Size(columns: 80, rows: 24),
        given state: State? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        environment: @escaping (Stubs) -> Environment
    ) throws(ProgramError) {
        let screen = PlannedScreen(try program.screen(size: size))
        let feedbacks = program.feedbacks
        let plan = Plan(
            program.reducer, given: state ?? program.initialState,
            feedback: feedbacks.isEmpty ? nil : { states, environment in feedbacks.flatMap { $0(states, environment) } },
            fileID: fileID, file: file, line: line, column: column, environment: environment)
        let place = SourcePlace(fileID: fileID, file: file, line: line, column: column)
        self = plan.noting(at: place) { $0.attachment = screen }
    }

    /// Creates a plan for a program in a terminal, with the environment of the program.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - size: The size of the screen.
    ///   - state: The initial state; nil for that of the program.
    ///   - fileID: The file of this call, for failures.
    ///   - file: The path of that file.
    ///   - line: The line of this call.
    ///   - column: The column of this call.
    /// - Throws: A `ProgramError` if the program is wrong in itself, as if a key is in a table twice.
    public init(
        _ program: Program<State, Event, Effect, Environment>, size: Size = Size(columns: 80, rows: 24),
        given state: State? = nil,
        fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) throws(ProgramError) {
        let environment = program.environment
        try self.init(
            program, size: size, given: state, fileID: fileID, file: file, line: line, column: column,
            environment: { _ in environment })
    }
}

import Moonlight
import SampleSupport
import Streams

/// Puts the program together.
enum History {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments) {
        case .help: Sample.print(Options.help, of: "history")
        case .run(let options): try run(options)
        }
    }

    private static func run(_ options: Options) throws(UserFacingError) -> Int32 {
        let lines = try options.textFile.map(TextLines.read) ?? TextLines.builtIn
        let seed = options.seed ?? UInt64.random(in: 0 ... .max)
        let run = try RecordedRun(in: options.record)
        let isPanel = Sample.hasTerminal
        let delay = options.delay ?? (isPanel ? 300 : 0)
        let environment = run.environment(.live(seed: seed, lines: lines, delay: delay))
        return try run.run("history") { () throws(UserFacingError) in
            if isPanel { return try Sample.show(Panel.program(environment, run.options())) }
            // Without a delay no answer is ever due, and there is nothing to limit.
            guard delay > 0 else { return Self.run(Pipe(), environment, run.options()) }
            let limit = Limit(1000)
            return Self.run(Pipe(limit), environment.limited(by: limit), run.options())
        }
    }

    /// The two functions as one, for a recording.
    static let reducer = Reducer(transform: HistoryReducer.transform, apply: HistoryReducer.apply)

    private static func run(
        _ pipe: Pipe, _ environment: HistoryEnvironment, _ options: LoopOptions<HistoryState, HistoryEvent, HistoryEffect>
    ) -> Int32 {
        let store = Store(
            reducer: reducer, initialState: HistoryState(), environment: environment, options: options,
            feedback: { [pipe.bind(states: $0)] })
        defer { store.cancel() }
        return pipe.run()
    }
}

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
        let isPanel = Sample.hasTerminal
        let delay = options.delay ?? (isPanel ? 300 : 0)
        let environment = HistoryEnvironment.live(seed: seed, lines: lines, delay: delay)
        if isPanel { return try Sample.show(Panel.program(environment)) }
        // Without a delay no answer is ever due, and there is nothing to limit.
        guard delay > 0 else { return run(Pipe(), environment) }
        let limit = Limit(1000)
        return run(Pipe(limit), environment.limited(by: limit))
    }

    private static func run(_ pipe: Pipe, _ environment: HistoryEnvironment) -> Int32 {
        let loop = Moonlight.start(
            initialState: HistoryState(),
            environment: environment,
            feedback: pipe.bind,
            transform: HistoryReducer.transform,
            apply: HistoryReducer.apply)
        defer { loop.cancel() }
        return pipe.run()
    }
}

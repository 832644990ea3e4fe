import MoonPresentation
import SampleLoopback
import SampleSupport

/// Puts the program together.
enum CounterProgram {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments, delay: Sample.hasTerminal ? 300 : 0) {
        case .help: Sample.print(Options.help, of: "counter")
        case .run(let options): try run(options)
        }
    }

    private static func run(_ options: Options) throws(UserFacingError) -> Int32 {
        let own = options.service == nil ? try startService(options) : nil
        guard let url = options.service ?? own?.url else { return ExitCode.unavailable }
        let run = try RecordedRun(in: options.record)
        let environment = run.environment(.live(url: url, service: own))
        let state = Counter(isServiceUp: own == nil ? nil : true)
        return try run.run("counter") { () throws(UserFacingError) in
            Sample.hasTerminal
                ? try Sample.show(CounterView.program(state, environment, url, run.options()))
                : Pipe().run(state, environment, run)
        }
    }

    private static func startService(_ options: Options) throws(UserFacingError) -> OwnService {
        do throws(SystemError) {
            return try OwnService(options.behaviour, port: options.port)
        } catch {
            throw UserFacingError(message: "cannot start the service: \(error)", exitCode: ExitCode.unavailable)
        }
    }
}

import SampleLoopback
import Moonlight
import Streams
import SampleTerminal

/// What shows the state and asks for things: a panel, or a pipe.
protocol UserInterface: Sendable {
    /// The feedback of the loop: from the states to the events.
    func bind(states: AnyPublisher<Counter, Never>) -> AnyPublisher<CounterEvent, Never>

    /// Tells the user that an event was refused.
    func refuse(_ event: CounterEvent, _ error: any Error)

    /// Runs until the user has enough.
    ///
    /// - Returns: The exit code.
    func run() -> Int32
}

/// Puts the program together.
enum CounterProgram {
    /// Runs the program.
    ///
    /// - Parameter arguments: The command line, without the name of the program.
    /// - Returns: The exit code.
    static func run(arguments: [String]) throws(UserFacingError) -> Int32 {
        switch try Options.parse(arguments, delay: Screen.isPossible ? 300 : 0) {
        case .help: Program.print(Options.help, of: "counter")
        case .run(let options): try run(options)
        }
    }

    private static func run(_ options: Options) throws(UserFacingError) -> Int32 {
        let own = options.service == nil ? try startService(options) : nil
        guard let url = options.service ?? own?.url else { return ExitCode.unavailable }
        let environment = CounterEnvironment.live(url: url, service: own)
        let state = Counter(isServiceUp: own == nil ? nil : true)
        if Screen.isPossible { return run(try Panel(url: url), state, environment) }
        return run(Pipe(), state, environment)
    }

    private static func run(_ face: some UserInterface, _ state: Counter, _ environment: CounterEnvironment) -> Int32 {
        let store = Store(
            reducer: Counter.reducer,
            initialState: state,
            environment: environment,
            options: LoopOptions(journal: { record in
                if case .rejected(let event, let error) = record.step { face.refuse(event, error) }
            }),
            feedback: { states in [face.bind(states: states).prepend(.refresh).eraseToAnyPublisher()] })
        defer { store.cancel() }
        return face.run()
    }

    private static func startService(_ options: Options) throws(UserFacingError) -> OwnService {
        do throws(SystemError) {
            return try OwnService(options.behaviour, port: options.port)
        } catch {
            throw UserFacingError(message: "cannot start the service: \(error)", exitCode: ExitCode.unavailable)
        }
    }
}

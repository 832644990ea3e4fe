import SampleLoopback
import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// Another program's service; nil to start one.
    var service: LoopbackURL?
    /// Where to start one.
    var port: UInt16 = 0
    var behaviour = CountService.Behaviour()
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: counter [OPTION]…

        A counter that a small service keeps, which the program starts for itself. A press is
        shown at once; the answer confirms it or corrects it; if there is none, it is taken back.
        Of presses that follow quickly only the last is sent.

        In a terminal: + and - count, r asks the service anew, s stops the service or starts it
        again; q, Ctrl-C or Ctrl-D leaves, Ctrl-Z suspends. Colours are left out if NO_COLOR is
        set. If the input or the output is no terminal, commands are read from standard input, a
        line each: +, -, refresh (r), service (s) or quit (q); the count is printed after each
        change. At the end the answer that is due is waited for.

          --service URL   use a service that runs already, as http://localhost:8000
          --port N        start the service at this port, so that others can use it
          --limit N       the service counts no further than N (99)
          --delay MS      the service takes so long for an answer, in milliseconds (300 in a
                          terminal, else 0; at most 9000)
          --fail N        the service refuses every Nth change
          --record FILE   keep what happens in FILE, which the program moonlight shows
          --help          show this

        Exit code: 0 if all is well, 1 if in the end the count is not the service's, or a command
        was refused; 64 if the command line is wrong, 66 if the input cannot be read, 69 if the
        service cannot be started, 74 if the output cannot be written, 128 and the number of the
        signal that ended it.
        """

    /// Reads a command line, without the name of the program.
    ///
    /// - Parameter delay: How long an answer of the service takes if nothing is said.
    static func parse(_ arguments: [String], delay: Int = 0) throws(UserFacingError) -> Request {
        var options = Options()
        options.behaviour.delay = delay
        var own: String?
        var arguments = Arguments(arguments, of: "counter")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): options.record = try arguments.value("a file")
            case .option("--service"): options.service = try url(try arguments.value("an address"), arguments)
            case .option("--port"): (options.port, own) = (try arguments.number(in: 1 ... .max), "--port")
            case .option("--limit"):
                (options.behaviour.limit, own) = (try arguments.number(in: 0...1_000_000), "--limit")
            case .option("--delay"): (options.behaviour.delay, own) = (try arguments.number(in: 0...9000), "--delay")
            case .option("--fail"):
                (options.behaviour.failsEvery, own) = (try arguments.number(in: 1...1_000_000), "--fail")
            case .option, .operand: throw arguments.unexpected()
            }
        }
        if let own, options.service != nil {
            throw arguments.wrong("\(own) is for the program's own service, and there is another one")
        }
        return .run(options)
    }

    /// The count of a service, which may be named with or without its path.
    private static func url(_ text: String, _ arguments: Arguments) throws(UserFacingError) -> LoopbackURL {
        do throws(LoopbackURL.Fault) {
            let url = try LoopbackURL(text)
            return url.path == "/" ? LoopbackURL(host: url.host, port: url.port, path: "/count") : url
        } catch {
            throw arguments.wrong("--service: \(error)")
        }
    }
}

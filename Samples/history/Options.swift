import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// The seed of the die; one by chance if nil.
    var seed: UInt64?
    /// How long answers take, in milliseconds.
    var delay: Int?
    /// The file to take lines from.
    var textFile: String?
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: history [OPTION]…

        Asks for numbers and lines of text, which arrive a little later, and keeps the last ten.

        In a terminal, a key asks: n for a number, t for a line of text; q, Ctrl-C or Ctrl-D
        leaves, Ctrl-Z suspends. Colours are left out if NO_COLOR is set.
        If the input or the output is no terminal, commands are read from standard input, one
        a line: number (n), text (t) or quit (q); the history is printed after each change,
        with an empty line behind it. At the end, answers still due are waited for.

          --seed N       throw the die so that it falls the same way for the same N
          --delay MS     how long an answer takes, about, in milliseconds
                         (300 in a terminal, else 0; at most \(longestDelay))
          --text FILE    take the lines of text from FILE, in turn
          --record FILE  keep what happens in FILE, which the program moonlight shows
          --help         show this

        With --seed and --delay 0 the same input gives the same output.
        Exit code: 0 if all is well, also after an unknown command, which is reported with the
        number of its line; 64 if the command line is wrong, 66 if an input cannot be read,
        74 if the output cannot be written, 128 and the number of the signal that ended it.
        """

    /// An hour.
    static let longestDelay = 3_600_000

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(UserFacingError) -> Request {
        var options = Options()
        var arguments = Arguments(arguments, of: "history")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): options.record = try arguments.value("a file")
            case .option("--seed"): options.seed = try arguments.number(in: 0 ... .max)
            case .option("--delay"): options.delay = try arguments.number(in: 0...longestDelay)
            case .option("--text"): options.textFile = try arguments.value("a file")
            case .option, .operand: throw arguments.unexpected()
            }
        }
        return .run(options)
    }
}

import Terminal

/// What the command line says.
struct Options: Equatable {
    /// The seed of the die; one by chance if nil.
    var seed: UInt64?
    /// How long answers take, in milliseconds.
    var delay: Int?
    /// The file to take lines from.
    var textFile: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: history [--seed N] [--delay MS] [--text FILE]

        Asks for numbers and lines of text, which arrive a little later, and keeps the last ten.

        In a terminal, a key asks: n for a number, t for a line of text; q, Ctrl-C or Ctrl-D
        leaves, Ctrl-Z suspends. Colours are left out if NO_COLOR is set.
        If the input or the output is no terminal, commands are read from standard input, one
        a line: number (n), text (t) or quit (q); the history is printed after each change,
        with an empty line behind it. At the end, answers still due are waited for.

          --seed N      throw the die so that it falls the same way for the same N
          --delay MS    how long an answer takes, about, in milliseconds
                        (300 in a terminal, else 0; at most \(longestDelay))
          --text FILE   take the lines of text from FILE, in turn
          --help        show this

        With --seed and --delay 0 the same input gives the same output.
        Exit code: 0 if all is well, also after an unknown command, which is reported with the
        number of its line; 64 if the command line is wrong, 66 if an input cannot be read,
        74 if the output cannot be written, 128 and the number of the signal that ended it.
        """

    /// An hour.
    static let longestDelay = 3_600_000

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(Complaint) -> Request {
        var options = Options()
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // `--seed=1` is `--seed 1`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = argument.hasPrefix("--") ? parts[0] : argument
            let attached = name != argument ? parts[1] : nil
            switch name {
            case "--help", "-h":
                if attached != nil { throw wrong("\(name) takes no value") }
                return .help
            case "--seed":
                options.seed = try number(name, attached ?? rest.popFirst(), in: 0 ... .max)
            case "--delay":
                options.delay = try number(name, attached ?? rest.popFirst(), in: 0...longestDelay)
            case "--text":
                guard let file = attached ?? rest.popFirst(), !file.isEmpty else { throw wrong("\(name) needs a file") }
                options.textFile = file
            default:
                throw wrong(argument.hasPrefix("-") ? "unknown option \(argument)" : "unexpected argument \(argument)")
            }
        }
        return .run(options)
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String, _ text: String?, in range: ClosedRange<Number>
    ) throws(Complaint) -> Number {
        guard let text else { throw wrong("\(name) needs a number") }
        guard let number = Number(text), range.contains(number) else {
            throw wrong("\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    private static func wrong(_ message: String) -> Complaint {
        Complaint(message: message + " (try history --help)", exitCode: ExitCode.usage)
    }
}

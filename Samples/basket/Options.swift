import MoonFoundation
import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// Where the basket is; nil for the user's own.
    var file: String?
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: basket [--record FILE] [FILE.json]

        A shopping basket that is kept in a JSON file; a new one has a few things in it. Without a
        file it is basket/basket.json where the user's data is (XDG_DATA_HOME, or ~/.local/share).

        In a terminal: up and down select, + and - change the amount, space checks what to buy,
        Enter opens the details and Escape closes them, d deletes, b buys what is checked, r
        reloads; q, Ctrl-C or Ctrl-D leaves, Ctrl-Z suspends. Colours are left out if NO_COLOR is
        set. If the input or the output is no terminal, commands are read from standard input, a
        line each: list, plus ID, minus ID, check ID, uncheck ID, details ID, close, delete ID,
        confirm, cancel, buy, reload, quit; what is on the screen is printed after each, with an
        empty line behind it.

          --record FILE  keep what happens in FILE, which the program moonlight shows
          --help         show this

        Exit code: 0 if all is well, 1 if a command was refused or could not be carried out; 64 if
        the command line is wrong, 66 if the input cannot be read, 74 if the output cannot be
        written, 128 and the number of the signal that ended it.
        """

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(UserFacingError) -> Request {
        var options = Options()
        var arguments = Arguments(arguments, of: "basket")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): options.record = try arguments.value("a file")
            case .operand(let file) where options.file == nil:
                guard file.hasSuffix(".json") else {
                    throw arguments.wrong("the name of a basket ends in .json, not \(file)")
                }
                options.file = file
            case .option, .operand: throw arguments.unexpected()
            }
        }
        return .run(options)
    }

    /// The basket that is asked for.
    func shop() throws(UserFacingError) -> Shop {
        do throws(FileStoreError) {
            guard let file else { return Shop(try FileStore(in: .data, application: "basket"), named: "basket") }
            let slash = file.lastIndex(of: "/")
            let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
            let name = String(file[(slash.map(file.index(after:)) ?? file.startIndex)...].dropLast(".json".count))
            return Shop(FileStore(folder: folder), named: name)
        } catch {
            throw UserFacingError(message: "\(error)", exitCode: ExitCode.usage)
        }
    }
}

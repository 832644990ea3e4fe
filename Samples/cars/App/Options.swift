import MoonFoundation
import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// The cars' file; nil for those that the program has with it.
    var cars: String?
    /// Where orders are kept; nil for the user's own place.
    var orders: String?
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: cars [OPTION]… [FILE.json]

        Cars by who makes them: look at one, choose its colour, order it. The cars are those of
        the file, a list of {"id", "make", "model", "year", "price", "colours", "about"}, or some
        that the program has with it. Each order is kept in a file of its own.

        In a terminal: up and down select, Enter shows the details, left and right choose the
        colour, o orders, Escape goes back, r reloads; q leaves, and Ctrl-C or Ctrl-D from
        everywhere, Ctrl-Z suspends. Colours are left out if NO_COLOR is set. If the input or the
        output is no terminal, commands are read from standard input, a line each: next, previous,
        select ID, open, colour NAME, order, name TEXT, place, back, reload, show, quit; what is
        on the screen is printed after each, with an empty line behind it.

          --orders FOLDER   where to keep orders (by default cars/ where the user's data is:
                            XDG_DATA_HOME, or ~/.local/share)
          --record FILE     keep what happens in FILE, which the program moonlight shows
          --help            show this

        Exit code: 0 if all is well, 1 if a command was refused or could not be carried out; 64 if
        the command line is wrong, 66 if an input cannot be read, 74 if the output cannot be
        written, 128 and the number of the signal that ended it.
        """

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(UserFacingError) -> Request {
        var options = Options()
        var arguments = Arguments(arguments, of: "cars")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): options.record = try arguments.value("a file")
            case .option("--orders"): options.orders = try arguments.value("a folder")
            case .operand(let file) where options.cars == nil:
                guard file.hasSuffix(".json") else {
                    throw arguments.wrong("the name of a list ends in .json, not \(file)")
                }
                options.cars = file
            case .option, .operand: throw arguments.unexpected()
            }
        }
        return .run(options)
    }

    /// The data that is asked for.
    func data() throws(UserFacingError) -> DataProvider {
        do throws(FileStoreError) {
            let place =
                if let orders { FileStore(folder: orders) } else { try FileStore(in: .data, application: "cars") }
            return DataProvider(cars: cars.map(Self.place), orders: place)
        } catch {
            throw UserFacingError(message: "\(error)", exitCode: ExitCode.usage)
        }
    }

    private static func place(of file: String) -> (FileStore, String) {
        let slash = file.lastIndex(of: "/")
        let folder = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let name = file[(slash.map(file.index(after:)) ?? file.startIndex)...].dropLast(".json".count)
        return (FileStore(folder: folder), String(name))
    }
}

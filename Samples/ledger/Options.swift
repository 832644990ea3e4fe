import MoonlightDurability
import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// The folder of the book.
    var folder: String
    /// When a posting is answered.
    var acknowledge = Acknowledgment.afterSync
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: ledger [OPTION]… FOLDER

        A double-entry book, kept in a folder. It may be killed at any moment: what it has
        answered is there when it is started again.

        In a terminal, it shows the accounts; type a command and press Enter. If the input or
        the output is no terminal, commands are read from standard input, a line each:

          post [KEY] AMOUNT FROM TO   moves money; with a key, only once, however often it is said
          balance                     prints the accounts
          quit                        leaves

        In a pipe, each posting is answered by a line, "ok KEY" or "refused KEY: WHY", when it is
        safe; answers come in any order. Without a key, KEY is "-". Money comes from the
        account equity, which alone may be overdrawn.

          --after-write   answer when a posting survives a crash of the program, not of the machine
          --later MS      answer at once, and write after so many milliseconds
          --record FILE   keep what happens in FILE, which the program moonlight shows
          --help          show this

        Exit code: 0 if all is well, 1 if a command was refused; 64 if the command line is wrong,
        69 if the book cannot be opened, 74 if the output cannot be written.
        """

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(UserFacingError) -> Request {
        var (folder, record): (String?, String?)
        var acknowledge = Acknowledgment.afterSync
        var arguments = Arguments(arguments, of: "ledger")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): record = try arguments.value("a file")
            case .option("--after-write"):
                try arguments.requireNoValue()
                acknowledge = .afterWrite
            case .option("--later"): acknowledge = .later(every: .milliseconds(try arguments.number(in: 1...60_000)))
            case .operand(let path) where folder == nil: folder = path
            case .option, .operand: throw arguments.unexpected()
            }
        }
        guard let folder else { throw arguments.wrong("which folder?") }
        return .run(Options(folder: folder, acknowledge: acknowledge, record: record))
    }
}

import SampleSupport

/// What the command line says.
struct Options: Equatable {
    /// What to fetch.
    var sources: [Source] = []
    /// Whether to read more from standard input.
    var readsInput = false
    /// Where to put it.
    var folder = "."
    /// How many files at the same time.
    var limit = 3
    /// How many bytes a second for each.
    var speed: Int?
    /// Whether to show the journal.
    var showsJournal = false
    /// Where to keep what happens; nil for nowhere.
    var record: String?

    /// What is asked of the program.
    enum Request: Equatable {
        case help
        case run(Options)
    }

    static let help = """
        Usage: download [OPTION]… [SOURCE | -]…

        Fetches files into a folder, several at a time. A source is file:PATH, or an http://
        address on this machine. A file gets its name when it is whole; until then it is
        NAME.part. What has the name before is replaced.

        In a terminal it shows a table: up and down select a file, x cancels it, r tries it
        again, d takes it off the list; q, Ctrl-C or Ctrl-D leaves, Ctrl-Z suspends. It ends by
        itself when all files are there. Colours are left out if NO_COLOR is set.
        If the input or the output is no terminal, it prints a line for each step. Without a
        source, or with -, it reads from standard input, a line each: a source, or cancel NAME,
        retry NAME, remove NAME; empty lines and those that begin with # are passed over.

          --into FOLDER   where to put the files (by default here)
          --at-once N     how many files to fetch at the same time, 1 to 64 (3)
          --speed N       at most N kilobytes a second for each file
          --journal       show all that happens, refused moves as well: below the table, or on
                          standard error
          --record FILE   keep what happens in FILE, which the program moonlight shows
          --help          show this

        Exit code: 0 if all files are there, 1 if not, or if something asked for was refused;
        64 if the command line is wrong, 66 if the input cannot be read, 73 if the folder is
        none, 74 if the output cannot be written, 128 and the number of the signal that ended it.
        """

    /// Reads a command line, without the name of the program.
    static func parse(_ arguments: [String]) throws(UserFacingError) -> Request {
        var options = Options()
        var arguments = Arguments(arguments, of: "download")
        while let argument = try arguments.next() {
            switch argument {
            case .option("--help"), .option("-h"):
                try arguments.requireNoValue()
                return .help
            case .option("--record"): options.record = try arguments.value("a file")
            case .option("--into"): options.folder = try arguments.value("a folder")
            case .option("--at-once"): options.limit = try arguments.number(in: 1...64)
            case .option("--speed"): options.speed = try arguments.number(in: 1...1_000_000) * 1024
            case .option("--journal"): options.showsJournal = true
            case .operand("-"): options.readsInput = true
            case .operand(let text):
                do throws(Source.Fault) {
                    options.sources.append(try Source(text))
                } catch {
                    throw arguments.wrong("\(text): \(error.reason)")
                }
            case .option: throw arguments.unexpected()
            }
        }
        if options.sources.isEmpty { options.readsInput = true }
        return .run(options)
    }
}

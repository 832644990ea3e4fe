/// The options of the command line.
struct Options {
    static let help = """
        usage: benchmarks [--filter TEXT] [--only NAME] [--quick] [--json FILE] [--svg FILE] [--programs] [--record]
                          [--debug]

          --filter TEXT   only rows whose group or name contains it
          --only NAME     only this contender, say for a profiler: Moonlight, "by hand", OpenCombine, …
          --quick         a short run of each row; fails if one of ours allocates more than allocations.json says
          --json FILE     the results as JSON
          --svg FILE      a chart of the headline rows
          --programs      also builds and starts a small program with each library
          --record        writes what ours allocate into allocations.json, which is then what --quick holds them to
          --debug         measures although this is a debug build, to see what users wait for who run their tests

        Run it in Benchmarks, with: swift run -c release benchmarks
        """

    var filter = ""
    var contender: String?
    var isQuick = false
    var json: String?
    var svg: String?
    var hasPrograms = false
    var records = false
    var acceptsDebug = false

    /// - Throws: A ``Mistake`` that names the invalid argument.
    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--programs": hasPrograms = true
            case "--record": records = true
            case "--debug": acceptsDebug = true
            case "--filter": filter = try Self.value(of: argument, &rest)
            case "--only": contender = try Self.value(of: argument, &rest)
            case "--json": json = try Self.value(of: argument, &rest)
            case "--svg": svg = try Self.value(of: argument, &rest)
            default: throw Mistake("unknown option: \(argument)")
            }
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake("\(option) needs a value") }
        return value
    }
}

/// An error that ends the command.
struct Mistake: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

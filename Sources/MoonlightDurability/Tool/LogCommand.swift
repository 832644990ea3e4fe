/// A command of the program `moonlight`.
struct LogCommand {
    enum Verb: String {
        case verify
        case print
        case stat
        case salvage
    }

    let verb: Verb
    let folder: String
    /// The folder that `salvage` creates.
    private(set) var newFolder = ""
    /// The member of a fleet whose records are printed; nil for all.
    private(set) var member: String?
    private(set) var isJSON = false
    private(set) var from: UInt64?
    private(set) var to: UInt64?

    /// Parses the arguments; nil if they are not a command.
    init?(_ arguments: [String]) {
        guard arguments.count >= 3, arguments[0] == "log", let verb = Verb(rawValue: arguments[1]), !arguments[2].hasPrefix("--")
        else { return nil }
        self.verb = verb
        folder = arguments[2]
        var rest = arguments.dropFirst(3)
        if verb == .salvage {
            guard let new = rest.popFirst(), !new.hasPrefix("--") else { return nil }
            newFolder = new
        }
        while let option = rest.popFirst() {
            switch (option, verb) {
            case ("--json", .print): isJSON = true
            case ("--member", .print):
                guard let id = rest.popFirst() else { return nil }
                member = id
            case ("--from", .print):
                guard let number = rest.popFirst().flatMap(UInt64.init), number > 0 else { return nil }
                from = number
            case ("--to", .print), ("--to", .salvage):
                guard let number = rest.popFirst().flatMap(UInt64.init) else { return nil }
                to = number
            default: return nil
            }
        }
    }
}

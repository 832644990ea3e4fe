/// A command of the tool.
struct RecordingCommand {
    let verb: String
    let file: String
    private(set) var steps: [Int] = []
    private(set) var question = ""
    private(set) var from: Int?
    private(set) var to: Int?
    private(set) var minimize: String?
    private(set) var reducer: String?
    private(set) var environment: String?
    private(set) var feedback: String?

    /// Reads the arguments; nil if they make no command.
    init?(_ arguments: [String]) {
        guard arguments.count >= 2, RecordingTool.verbs.contains(arguments[0]) else { return nil }
        (verb, file) = (arguments[0], arguments[1])
        var rest = arguments.dropFirst(2)
        while let argument = rest.popFirst() {
            switch (verb, argument) {
            case ("steps", "--from"): from = rest.popFirst().flatMap { Int($0) }
            case ("steps", "--to"), ("story", "--to"), ("plan", "--to"): to = rest.popFirst().flatMap { Int($0) }
            case ("plan", "--minimize"): minimize = rest.popFirst()
            case ("plan", "--reducer"): reducer = rest.popFirst()
            case ("plan", "--environment"): environment = rest.popFirst()
            case ("plan", "--feedback"): feedback = rest.popFirst()
            case ("find", _) where question.isEmpty: question = argument
            case ("state", _), ("diff", _), ("cause", _):
                guard let number = Int(argument) else { return nil }
                steps.append(number)
            default: return nil
            }
            if argument == "--from", from == nil { return nil }
            if argument == "--to", to == nil { return nil }
            if argument == "--minimize", minimize == nil { return nil }
            if argument == "--reducer", reducer == nil { return nil }
            if argument == "--environment", environment == nil { return nil }
            if argument == "--feedback", feedback == nil { return nil }
        }
        let needed = ["state": 1, "cause": 1, "diff": 2][verb] ?? 0
        guard steps.count == needed, verb != "find" || !question.isEmpty else { return nil }
    }
}

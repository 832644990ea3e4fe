/// A command of the tool.
struct RecordingCommand {
    /// The arguments of a command.
    private struct Form {
        /// The number of steps behind the file.
        var steps = 0
        /// Whether a question stands behind the file.
        var asks = false
        /// The options, each of which has a value.
        var options: Set<String> = []
    }

    private static let forms: [String: Form] = [
        "info": Form(),
        "steps": Form(options: ["--from", "--to"]),
        "state": Form(steps: 1),
        "diff": Form(steps: 2),
        "cause": Form(steps: 1),
        "find": Form(asks: true),
        "story": Form(options: ["--to"]),
        "plan": Form(options: ["--to", "--minimize", "--reducer", "--environment", "--feedback"]),
        "page": Form(),
    ]

    let verb: String
    let file: String
    let steps: [Int]
    let question: String
    private let values: [String: String]

    var from: Int? { values["--from"].flatMap { Int($0) } }
    var to: Int? { values["--to"].flatMap { Int($0) } }
    var minimize: String? { values["--minimize"] }
    var reducer: String? { values["--reducer"] }
    var environment: String? { values["--environment"] }
    var feedback: String? { values["--feedback"] }

    /// Reads the arguments; nil if they make no command.
    init?(_ arguments: [String]) {
        guard arguments.count >= 2, let form = Self.forms[arguments[0]] else { return nil }
        var values: [String: String] = [:]
        var operands: [String] = []
        var rest = arguments.dropFirst(2)
        while let argument = rest.popFirst() {
            if form.options.contains(argument) {
                guard let value = rest.popFirst() else { return nil }
                values[argument] = value
            } else {
                operands.append(argument)
            }
        }
        let numbers = operands.compactMap { Int($0) }
        guard operands.count == (form.asks ? 1 : form.steps), form.asks || numbers.count == form.steps else { return nil }
        verb = arguments[0]
        file = arguments[1]
        steps = form.asks ? [] : numbers
        question = form.asks ? operands[0] : ""
        self.values = values
        for option in ["--from", "--to"] where values[option] != nil && values[option].flatMap({ Int($0) }) == nil { return nil }
        if form.asks, question.isEmpty { return nil }
    }
}

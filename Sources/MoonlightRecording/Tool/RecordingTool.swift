import Moonlight

/// The command line of the program `moonlight`, which works without the types of a recording.
package struct RecordingTool {
    private let output: (String) -> Void
    private let errors: (String) -> Void

    /// The exit codes.
    package enum Code {
        package static let good: Int32 = 0
        /// The recording is invalid, or the search has found nothing.
        package static let bad: Int32 = 1
        /// The command is invalid.
        package static let usage: Int32 = 2
    }

    /// The commands, for the usage.
    package static let usage = """
        usage: moonlight info FILE
               moonlight steps FILE [--from STEP] [--to STEP]
               moonlight state FILE STEP
               moonlight diff FILE STEP STEP
               moonlight cause FILE STEP
               moonlight find FILE 'PATH == VALUE'
               moonlight trace FILE [--to STEP]
               moonlight plan FILE [--to STEP] [--minimize 'PATH == VALUE'] [--reducer TEXT] [--environment TEXT] [--feedback TEXT]
               moonlight page FILE > PAGE.html
        """

    /// The description of the commands.
    package static let help = """
        Shows the contents of a recording. FILE is one that Recording.write(to:) or follow(in:) has written.

          info     the types, and the number of kept steps
          steps    the steps, one per line: time, number, cause, description, and changes of the state
          state    the state after a step
          diff     the differences between the states after two steps
          cause    a step and its causes, up to a step from outside; an effect is caused by its event, not by an answer
          find     the first step after which a condition holds: 'count > 3', 'lines[2].text == "x"', 'name contains mo'
          trace    the recording in words
          plan     the source of a test that replays the recording, and checks the states
          page     the recording as one HTML file that works from disk

        plan reads the reducer and the environment from the source in which the recording was created, if it still exists;
        --reducer, --environment and --feedback give their text. --minimize ends the plan where a condition first holds, and omits earlier
        events that changed nothing, called nothing and began nothing. Only the reducer can tell which other events are irrelevant:
        recording.minimized(of:environment:where:) in a test removes them.
        """

    /// The names of the commands.
    package static let verbs = ["info", "steps", "state", "diff", "cause", "find", "trace", "plan", "page"]

    /// Creates the tool.
    ///
    /// - Parameters:
    ///   - print: Receives each line of output.
    ///   - complain: Receives each error, one per line.
    package init(print: @escaping (String) -> Void, complain: @escaping (String) -> Void) {
        output = print
        errors = complain
    }

    /// Runs a command, and returns its exit code.
    ///
    /// - Parameter arguments: The arguments, without the name of the program.
    package func run(_ arguments: [String]) -> Int32 {
        guard let command = RecordingCommand(arguments) else {
            errors(Self.usage)
            return Code.usage
        }
        do throws(RecordingError) {
            let reader = try RecordingReader(contentsOf: command.file)
            if let cut = reader.cut {
                complain("\(command.file): the file is truncated at byte \(cut); the steps before that are read")
            }
            return try run(command, reader)
        } catch {
            if case .file = error { complain("\(error)") } else { complain("\(command.file): \(error)") }
            return Code.bad
        }
    }

    // A recording may come from any source: its contents are shown without control characters.
    private func print(_ line: String) { output(line.escapingControls) }
    private func complain(_ line: String) { errors(line.escapingControls) }

    private func run(_ command: RecordingCommand, _ reader: RecordingReader) throws(RecordingError) -> Int32 {
        switch command.verb {
        case "info": info(reader)
        case "steps":
            try reader.forEach(from: command.from ?? 1, to: command.to ?? .max) { step, state in
                print(Self.line(RecordedStep(step, before: state)))
                return true
            }
        case "state":
            guard let state = try reader.state(at: command.steps[0]) else {
                throw .question("the state after step \(command.steps[0]) is unknown")
            }
            for line in Self.lines(of: state) { print(line) }
        case "diff":
            guard let old = try reader.state(at: command.steps[0]), let new = try reader.state(at: command.steps[1]) else {
                throw .question("the states are unknown")
            }
            for change in RecordedStep.changes(old.changes(to: new), before: old) { print("\(change)") }
        case "cause":
            let (step, before) = try reader.step(command.steps[0])
            print(Self.line(RecordedStep(step, before: before)))
            for cause in try reader.causes(of: step.number) {
                print(Self.line(RecordedStep(cause, before: try reader.step(cause.number).before)))
            }
        case "find": return try find(try StatePredicate(command.condition), reader)
        // Texts of several lines are escaped line by line, where they are created.
        case "trace": output(try Script(reader, to: command.to ?? .max).trace(reader))
        case "plan":
            var last = command.to ?? .max
            if let condition = command.minimize {
                guard let step = try firstStep(where: try StatePredicate(condition), reader, to: last) else { return nothing() }
                last = step.number
            }
            output(
                try Script.planSource(
                    reader, to: last, reducer: command.reducer, environment: command.environment,
                    feedback: command.feedback, isMinimized: command.minimize != nil))
        default: output(try PageContent(reader).html())
        }
        return Code.good
    }

    private func info(_ reader: RecordingReader) {
        let header = reader.header
        print("loop     \(header.loop.isEmpty ? "without a name" : header.loop)")
        print("state    \(header.state)")
        print("event    \(header.event)")
        print("effect   \(header.effect)")
        if header.start != 0 { print("begun    \(WallTime(sinceEpoch: .nanoseconds(header.start)))") }
        print("steps    \(reader.count)\(reader.numbers.map { ", \($0.lowerBound) to \($0.upperBound)" } ?? "")")
        if reader.archive.lost > 0 { print("lost     \(reader.archive.lost), as they came faster than they could be encoded") }
        if header.isRedacted { print("redacted") }
    }

    private func find(_ predicate: StatePredicate, _ reader: RecordingReader) throws(RecordingError) -> Int32 {
        guard let found = try firstStep(where: predicate, reader) else { return nothing() }
        print(Self.line(found))
        return Code.good
    }

    private func nothing() -> Int32 {
        complain("the condition holds after no step")
        return Code.bad
    }

    private func firstStep(
        where predicate: StatePredicate, _ reader: RecordingReader, to last: Int = .max
    ) throws(RecordingError) -> RecordedStep? {
        var found: RecordedStep?
        var isPathKnown = false
        try reader.forEach(to: last) { step, state in
            guard var after = state else { return true }
            for change in step.changes { after.apply(change) }
            if predicate.holds(in: after) { found = RecordedStep(step, before: state) }
            isPathKnown = isPathKnown || after[predicate.path] != nil
            return found == nil
        }
        if found == nil, !isPathKnown {
            let path = predicate.path.joined(separator: ".")
            throw .question("no state has \(path): stored properties are recorded, computed ones are not")
        }
        return found
    }

    /// Returns a step on one line, with its time in seconds and its child.
    static func line(_ step: RecordedStep) -> String {
        let milliseconds = Int(step.time / .milliseconds(1))
        let fraction = "\(1000 + abs(milliseconds % 1000))".dropFirst()
        let child = step.child.isEmpty ? "" : "[\(step.child)] "
        return "\(milliseconds / 1000).\(fraction)  \(child)\(step)"
    }

    /// Returns a state, with one line for each value without parts.
    static func lines(of state: StateTree) -> [String] {
        var lines: [String] = []
        func visit(_ tree: StateTree, _ path: [String]) {
            if case .node(_, _, let parts) = tree, !parts.isEmpty, !(path.count > 0 && tree.source.count <= 60) {
                for part in parts { visit(part.value, path + [part.name]) }
            } else {
                let title = TreeChange.title(of: path, in: state)
                lines.append(title.isEmpty ? tree.source : "\(title) = \(tree.source)")
            }
        }
        visit(state, [])
        return lines
    }
}

/// A command of the tool.
struct RecordingCommand {
    /// The arguments of a command.
    private struct Form {
        /// The number of steps after the file.
        var steps = 0
        /// True if a condition follows the file.
        var hasCondition = false
        /// The options, each of which has a value.
        var options: Set<String> = []
    }

    private static let forms: [String: Form] = [
        "info": Form(),
        "steps": Form(options: ["--from", "--to"]),
        "state": Form(steps: 1),
        "diff": Form(steps: 2),
        "cause": Form(steps: 1),
        "find": Form(hasCondition: true),
        "trace": Form(options: ["--to"]),
        "plan": Form(options: ["--to", "--minimize", "--reducer", "--environment", "--feedback"]),
        "page": Form(),
    ]

    let verb: String
    let file: String
    let steps: [Int]
    let condition: String
    private let values: [String: String]

    var from: Int? { values["--from"].flatMap { Int($0) } }
    var to: Int? { values["--to"].flatMap { Int($0) } }
    var minimize: String? { values["--minimize"] }
    var reducer: String? { values["--reducer"] }
    var environment: String? { values["--environment"] }
    var feedback: String? { values["--feedback"] }

    /// Parses the arguments; nil if they are not a valid command.
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
        guard operands.count == (form.hasCondition ? 1 : form.steps), form.hasCondition || numbers.count == form.steps else {
            return nil
        }
        verb = arguments[0]
        file = arguments[1]
        steps = form.hasCondition ? [] : numbers
        condition = form.hasCondition ? operands[0] : ""
        self.values = values
        for option in ["--from", "--to"] where values[option] != nil && values[option].flatMap({ Int($0) }) == nil { return nil }
        if form.hasCondition, condition.isEmpty { return nil }
    }
}

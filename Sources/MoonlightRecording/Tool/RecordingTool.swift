import Moonlight

/// What the program `moonlight` does with a recording. It knows nothing of the types in it.
package struct RecordingTool {
    private let print: (String) -> Void
    private let complain: (String) -> Void

    /// The exit codes.
    package enum Code {
        package static let good: Int32 = 0
        /// Something is wrong with the recording, or what was looked for is not there.
        package static let bad: Int32 = 1
        /// The command was not understood.
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
               moonlight story FILE [--to STEP]
               moonlight plan FILE [--to STEP] [--reducer TEXT] [--environment TEXT] [--feedback TEXT]
               moonlight page FILE > PAGE.html
        """

    /// The names of the commands.
    package static let verbs = ["info", "steps", "state", "diff", "cause", "find", "story", "plan", "page"]

    /// Creates the tool.
    ///
    /// - Parameters:
    ///   - print: Takes each line of output.
    ///   - complain: Takes each error, a line each.
    package init(print: @escaping (String) -> Void, complain: @escaping (String) -> Void) {
        (self.print, self.complain) = (print, complain)
    }

    /// Runs a command, and returns its exit code.
    ///
    /// - Parameter arguments: The arguments, without the name of the program.
    package func run(_ arguments: [String]) -> Int32 {
        guard let command = RecordingCommand(arguments) else {
            complain(Self.usage)
            return Code.usage
        }
        do throws(RecordingError) {
            let reader = try RecordingReader(contentsOf: command.file)
            if let cut = reader.cut {
                complain("\(command.file): the file was cut off at byte \(cut), as a crash does it; what is before that is read")
            }
            return try run(command, reader)
        } catch {
            if case .file = error { complain("\(error)") } else { complain("\(command.file): \(error)") }
            return Code.bad
        }
    }

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
                throw .question("the state after step \(command.steps[0]) is not known")
            }
            for line in Self.lines(of: state) { print(line) }
        case "diff":
            guard let old = try reader.state(at: command.steps[0]), let new = try reader.state(at: command.steps[1]) else {
                throw .question("the states are not known")
            }
            for change in RecordedStep.changes(old.changes(to: new), before: old) { print("\(change)") }
        case "cause":
            let (step, before) = try reader.step(command.steps[0])
            print(Self.line(RecordedStep(step, before: before)))
            for cause in try reader.causes(of: step.number) {
                print(Self.line(RecordedStep(cause, before: try reader.step(cause.number).before)))
            }
        case "find": return try find(try StatePredicate(command.question), reader)
        case "story": print(try Script(reader, to: command.to ?? .max).story(reader))
        case "plan":
            print(
                try Script.planSource(
                    reader, to: command.to ?? .max, reducer: command.reducer, environment: command.environment,
                    feedback: command.feedback))
        default: print(try PageContent(reader).html())
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
        if header.isRedacted { print("redacted") }
    }

    private func find(_ predicate: StatePredicate, _ reader: RecordingReader) throws(RecordingError) -> Int32 {
        var found: RecordedStep?
        try reader.forEach { step, state in
            guard var after = state else { return true }
            for change in step.changes { after.apply(change) }
            if predicate.holds(in: after) { found = RecordedStep(step, before: state) }
            return found == nil
        }
        guard let found else {
            complain("it is so after no step")
            return Code.bad
        }
        print(Self.line(found))
        return Code.good
    }

    /// A step on one line, with its time in seconds and its child.
    static func line(_ step: RecordedStep) -> String {
        let milliseconds = Int(step.time / .milliseconds(1))
        let fraction = "\(1000 + abs(milliseconds % 1000))".dropFirst()
        let child = step.child.isEmpty ? "" : "[\(step.child)] "
        return "\(milliseconds / 1000).\(fraction)  \(child)\(onOneLine("\(step)"))"
    }

    private static func onOneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? "⏎" : $0 })
    }

    /// A state, a line for each value without parts.
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
    let verb: String
    let file: String
    private(set) var steps: [Int] = []
    private(set) var question = ""
    private(set) var from: Int?
    private(set) var to: Int?
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
            if argument == "--reducer", reducer == nil { return nil }
            if argument == "--environment", environment == nil { return nil }
            if argument == "--feedback", feedback == nil { return nil }
        }
        let needed = ["state": 1, "cause": 1, "diff": 2][verb] ?? 0
        guard steps.count == needed, verb != "find" || !question.isEmpty else { return nil }
    }
}

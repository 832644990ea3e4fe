import Moonlight

/// What the program `moonlight` does with a recording. It knows nothing of the types in it.
package struct RecordingTool {
    private let output: (String) -> Void
    private let errors: (String) -> Void

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
               moonlight plan FILE [--to STEP] [--minimize 'PATH == VALUE'] [--reducer TEXT] [--environment TEXT] [--feedback TEXT]
               moonlight page FILE > PAGE.html
        """

    /// What the commands do.
    package static let help = """
        What a recording tells. FILE is one that Recording.write(to:) or follow(in:) has written.

          info     what was recorded, and how much of it is kept
          steps    the steps, a line each: time, number, cause, what happened, and what it changed in the state
          state    the state after a step
          diff     how the states after two steps differ
          cause    a step and what led to it, up to what came from outside
          find     the first step after which it is so: 'count > 3', 'lines[2].text == "x"', 'name contains mo'
          story    the recording for readers who do not write Swift
          plan     the source of a test that does again what was recorded, and checks the states
          page     the recording as one HTML file that works from disk

        plan reads the reducer and the environment from the source in which the recording was made, if it is still there;
        --reducer, --environment and --feedback give their text. --minimize ends the plan where it is so for the first time, and leaves
        out the events before that changed nothing, asked nothing and began nothing. What else does not matter only the reducer can
        tell: recording.minimized(of:environment:where:) in a test tries it.
        """

    /// The names of the commands.
    package static let verbs = ["info", "steps", "state", "diff", "cause", "find", "story", "plan", "page"]

    /// Creates the tool.
    ///
    /// - Parameters:
    ///   - print: Takes each line of output.
    ///   - complain: Takes each error, a line each.
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
                complain("\(command.file): the file was cut off at byte \(cut), as a crash does it; what is before that is read")
            }
            return try run(command, reader)
        } catch {
            if case .file = error { complain("\(error)") } else { complain("\(command.file): \(error)") }
            return Code.bad
        }
    }

    // A recording may come from anywhere: whatever stands in it is shown, and steers no terminal.
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
        // The texts of several lines are made visible line by line, where they are made.
        case "story": output(try Script(reader, to: command.to ?? .max).story(reader))
        case "plan":
            var last = command.to ?? .max
            if let question = command.minimize {
                guard let step = try firstStep(where: try StatePredicate(question), reader, to: last) else { return nothing() }
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
        complain("it is so after no step")
        return Code.bad
    }

    private func firstStep(
        where predicate: StatePredicate, _ reader: RecordingReader, to last: Int = .max
    ) throws(RecordingError) -> RecordedStep? {
        var found: RecordedStep?
        try reader.forEach(to: last) { step, state in
            guard var after = state else { return true }
            for change in step.changes { after.apply(change) }
            if predicate.holds(in: after) { found = RecordedStep(step, before: state) }
            return found == nil
        }
        return found
    }

    /// A step on one line, with its time in seconds and its child.
    static func line(_ step: RecordedStep) -> String {
        let milliseconds = Int(step.time / .milliseconds(1))
        let fraction = "\(1000 + abs(milliseconds % 1000))".dropFirst()
        let child = step.child.isEmpty ? "" : "[\(step.child)] "
        return "\(milliseconds / 1000).\(fraction)  \(child)\(step)"
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

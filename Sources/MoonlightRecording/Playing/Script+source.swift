import Moonlight
import SwiftText

/// The parts of a plan's source that a recording does not have: the reducer, the environment and the feedback.
package struct PlanText: Sendable {
    /// The reducer: `app`.
    package var reducer = "reducer"
    /// The closure that creates the environment from stubs.
    package var environment = "{ stubs in environment(stubs) }"
    /// The expression that creates the feedback; nil if there is none.
    package var feedback: String?

    package init() {}
}

extension Script {
    /// The longest value, in characters of Swift, that is checked after each action; at the end all values are checked.
    private static var longest: Int { 200 }

    /// Returns the plan of a recording in Swift. Missing arguments are read from the source of the recording.
    ///
    /// - Parameter isMinimized: True to omit events that changed nothing, called nothing and began nothing.
    package static func planSource(
        _ reader: RecordingReader, to last: Int, reducer: String?, environment: String?, feedback: String?,
        isMinimized: Bool = false
    ) throws(RecordingError) -> String {
        var script = try Script(reader, to: last, hasFeedback: true)
        var text = PlanText(reader.header, script, reducer, environment, feedback)
        if feedback == nil, script.feedbackWaits { text.feedback = nil }
        if text.feedback == nil { script = try Script(reader, to: last) }
        if isMinimized { try script.leaveOutIdleEvents(reader) }
        return try script.planSource(reader, text)
    }

    /// Returns the plan in Swift.
    ///
    /// - Parameters:
    ///   - reader: The recording.
    ///   - text: The parts that the recording does not have.
    ///   - checks: True to check the states. They cannot be checked if actions were omitted.
    ///   - holds: A condition that must hold at the end, in Swift.
    package func planSource(
        _ reader: RecordingReader, _ text: PlanText, checks: Bool = true, holds: String? = nil
    ) throws(RecordingError) -> String {
        var tree = try initialState(reader)
        var checked = tree
        var lines = TextLines()
        let feedback = text.feedback.map { ", feedback: \($0)" } ?? ""
        try lines.add(source: "try Plan(\(text.reducer), given: \(tree.source.escapingControls)\(feedback)) \(text.environment)")
        for number in unanswerable {
            try lines.add("    // Step \(number) belongs to a call or a timer from before this plan, and is left out.")
        }
        if actions.contains(where: { !$0.isRejected }), !rejections.isEmpty { try lines.add("    .ignoringRefusals()") }
        let states = checks ? try reader.states(at: Set(actions.filter(\.isSettled).map { max(start, $0.last) })) : [:]
        // A redacted property may have another value in a plan. The first name of a path is the property that is checked; the
        // state itself has no name.
        let checks = checks && !reader.header.redacted.contains("")
        let hidden = Set(reader.header.redacted.compactMap { $0.split(separator: ".").first.map(String.init) })
        // The properties that the answers of each function have changed: later answers may have to leave them unchanged.
        var touched: [String: Set<String>] = [:]
        for action in actions {
            try lines.add("    \(source(of: action))")
            guard checks, action.isSettled else { continue }
            tree = states[max(start, action.last)] ?? tree
            var names: Set<String> = []
            if case .answer(let answer, _) = action.what {
                names = touched[answer.name, default: []].union(Self.changed(from: checked, to: tree))
                touched[answer.name] = names
            }
            try lines.add(indented: Self.checks(from: checked, to: tree, longest: Self.longest, also: names, hidden))
            checked = Self.known(checked, tree, longest: Self.longest)
        }
        if checks, let last = actions.last, last.isSettled {
            // As a whole, to check that nothing else has changed.
            try lines.add(
                indented: hidden.isEmpty
                    ? [".then(equals: \(tree.source))"] : Self.checks(from: checked, to: tree, longest: .max, hidden))
        }
        if let holds { try lines.add("    .holds(\"the condition holds at the end\") { state in \(holds) }") }
        try lines.add("    .ignoringCalls().ignoringInFlight().ignoringRelease()")
        try lines.add("    .run()")
        return lines.text
    }

    func initialState(_ reader: RecordingReader) throws(RecordingError) -> StateTree {
        guard reader.numbers != nil, let state = try reader.state(at: start) else {
            throw .question("the recording has no initial state: nothing was recorded, or the first steps were lost")
        }
        return state
    }

    private func source(of action: Action) -> String {
        switch action.what {
        case .event(let source, _, _): return action.isRejected ? ".rejects(\(source))" : ".when(\(source))"
        case .time(let span): return ".advance(by: \(SwiftSource.source(of: .nanoseconds(span))))"
        case .answer(let answer, let number):
            let call = "\(answer.name)\(answer.arguments)"
            let rest = (answer.isLate ? ", ifItWaits: true" : "") + (number.map { ", number: \($0)" } ?? "")
            switch answer.outcome {
            case .value where answer.source == "()": return ".resolve(\(call)\(rest))"
            case .value: return ".resolve(\(call), with: \(answer.source)\(rest))"
            case .failure: return ".fail(\(call), with: \(answer.source)\(rest))"
            case .sent: return ".send(\(answer.source), from: \(call)\(rest))"
            case .finished, .cancelled: return ".finish(\(call)\(rest))"
            }
        }
    }

    /// Returns the steps that check changes, one for each property of the state.
    ///
    /// - Parameters:
    ///   - longest: The length of the longest value to check.
    ///   - names: Properties to check even if they have not changed.
    ///   - hidden: Properties to skip.
    private static func checks(
        from old: StateTree, to new: StateTree, longest: Int, also names: Set<String> = [], _ hidden: Set<String>
    ) -> [String] {
        guard let pairs = properties(old, new) else {
            return old == new || new.source.count > longest || !hidden.isEmpty ? [] : [".then(equals: \(new.source))"]
        }
        return pairs.compactMap { before, after in
            if before.value == after.value && !names.contains(after.name) || hidden.contains(after.name) { return nil }
            let source = after.value.source
            if source.count > longest { return nil }
            return ".then(\\.\(after.name), equals: \(source))"
        }
    }

    /// Returns the names of the properties that have changed.
    private static func changed(from old: StateTree, to new: StateTree) -> [String] {
        properties(old, new)?.filter { $0.value != $1.value }.map(\.1.name) ?? []
    }

    /// Returns the properties of two values of the same struct; nil if they are not.
    private static func properties(_ old: StateTree, _ new: StateTree) -> [(StateTree.Part, StateTree.Part)]? {
        guard case .node(.structure, let oldType, let before) = old, case .node(.structure, let type, let after) = new,
            oldType == type, before.count == after.count
        else { return nil }
        return Array(zip(before, after))
    }

    /// Returns the state that was checked: values that are too long keep their old value.
    private static func known(_ old: StateTree, _ new: StateTree, longest: Int) -> StateTree {
        guard case .node(.structure, let oldType, let before) = old, case .node(.structure, let type, let after) = new,
            oldType == type, before.count == after.count
        else { return new.source.count > longest ? old : new }
        return .node(
            .structure, type,
            zip(before, after).map { $1.value.source.count > longest ? $0 : $1 })
    }

    // MARK: The trace

    /// Returns the trace of a recording, in words.
    package func trace(_ reader: RecordingReader) throws(RecordingError) -> String {
        var tree = try initialState(reader)
        var lines = TextLines()
        try lines.add("Given")
        if case .node(.structure, _, let parts) = tree, !parts.isEmpty {
            try lines.add(indented: parts.map { "\($0.name) is \(ValueText.shown($0.value.text))" })
        } else {
            try lines.add("    \(ValueText.shown(tree.text))")
        }
        var place = start
        for action in actions {
            // Steps before this action belong to the previous one.
            try lines.add(indented: Self.results(reader, after: place, to: action.place - 1, &tree))
            place = action.place - 1
            try lines.add(Self.title(of: action))
        }
        try lines.add(indented: Self.results(reader, after: place, to: actions.last?.last ?? .max, &tree))
        return lines.text
    }

    package static func title(of action: Action) -> String {
        switch action.what {
        case .event(_, _, let text): return "When \(text)\(action.isRejected ? ", which is rejected" : "")"
        case .time(let span): return "After \(Duration.nanoseconds(span))"
        case .answer(let answer, _):
            switch answer.outcome {
            case .value where answer.source == "()": return "\(answer.call) is done"
            case .value: return "\(answer.call) answers \(ValueText.shown(answer.text))"
            case .failure: return "\(answer.call) fails: \(ValueText.shown(answer.text))"
            case .sent: return "\(answer.call) sends \(ValueText.shown(answer.text))"
            case .finished, .cancelled: return "\(answer.call) finishes"
            }
        }
    }

    /// Returns the changes and calls of steps.
    private static func results(
        _ reader: RecordingReader, after first: Int, to last: Int, _ tree: inout StateTree
    ) throws(RecordingError) -> [String] {
        guard first < last else { return [] }
        let before = tree
        var (calls, after): ([String], StateTree) = ([], tree)
        try reader.forEach(from: first + 1, to: last) { step, state in
            if let state { after = state }
            for change in step.changes { after.apply(change) }
            switch step.kind {
            case .call: calls.append("calls \(step.text)")
            case .result:
                let call = step.text.firstRange(of: ") is ").map { step.text[...$0.lowerBound] } ?? step.text[...]
                calls.append("calls \(call)")
            default: break
            }
            return true
        }
        tree = after
        let changes = before.changes(to: after).map { change in
            let path = change.title(in: before)
            let (old, new) = (before[change.path]?.text, change.value?.text)
            return "\(path.isEmpty ? "" : "\(path): ")\(ValueText.shown(old)) → \(ValueText.shown(new))"
        }
        return changes + calls
    }
}

/// The lines of a text of bounded size, since a small file can expand to an enormous one. Texts of a recording stay on their
/// line, and their control characters are escaped.
private struct TextLines {
    private var lines: [String] = []
    private var size = 0

    var text: String { lines.joined(separator: "\n") }

    mutating func add(_ line: String) throws(RecordingError) { try append(line.escapingControls) }

    private mutating func append(_ line: String) throws(RecordingError) {
        size += line.utf8.count + 1
        guard size <= RecordingFormat.mostReferred else {
            throw .tooLarge(what: "the text", size: size, limit: RecordingFormat.mostReferred)
        }
        lines.append(line)
    }

    /// Adds a text of several lines, which may be indented with tabs.
    mutating func add(source: String) throws(RecordingError) {
        for line in source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let pieces = line.split(separator: "\t", omittingEmptySubsequences: false)
            try append(pieces.map { String($0).escapingControls }.joined(separator: "\t"))
        }
    }

    mutating func add(indented more: [String]) throws(RecordingError) {
        for line in more { try add("    \(line)") }
    }
}

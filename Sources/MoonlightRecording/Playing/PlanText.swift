import Moonlight
import SwiftText

extension PlanText {
    /// Creates the texts of a plan. Missing arguments are read from the source file in which the recording was created, if it
    /// exists and has not changed.
    package init(
        _ header: RecordingHeader, _ script: Script, _ reducer: String?, _ environment: String?, _ feedback: String?,
        source: String? = nil
    ) {
        self.feedback = feedback
        let isVoid = header.environment == "()"
        self.reducer = reducer ?? "reducer"
        self.environment = environment ?? (isVoid ? "{ _ in }" : "{ stubs in environment(stubs) }")
        if reducer != nil, environment != nil { return }
        // A recording may be untrusted.
        let line = max(1, header.line)
        guard let text = source ?? RecordingFile.source(at: header.file),
            let call = SourceCall(in: text, line: UInt(line), of: "Recording")
        else { return }
        if reducer == nil, let argument = call.argument("of") { self.reducer = argument }
        let name = Self.name(in: text, line: line)
        if environment == nil, let made = EnvironmentText(in: text, recording: name) { self.environment = made.closure(script) }
        if feedback == nil {
            let start = SourceCall.all(of: "Store", in: text).first { $0.argument("options")?.contains(name) ?? false }
            self.feedback = start?.argument("feedback")
        }
    }

    /// Returns the name of the variable that holds the recording: `let recording = Recording(…`.
    private static func name(in text: String, line: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), let place = lines[line - 1].firstIndex(of: "=") else { return "recording" }
        let words = lines[line - 1][..<place].split { !$0.isPartOfName }
        guard let keyword = words.firstIndex(where: { $0 == "let" || $0 == "var" }), keyword + 1 < words.count else {
            return "recording"
        }
        return String(words[keyword + 1])
    }
}

/// The expression that creates an environment from functions that a recording wraps.
struct EnvironmentText {
    private let expression: String
    private let recording: String

    /// The methods of a recording that wrap functions.
    private static let wrappers = ["async", "function", "publisher", "scheduler", "clock"]

    /// Finds the innermost call around the first wrapper; nil if there is none.
    init?(in text: String, recording: String) {
        self.recording = recording
        var rest = SourceText(text[...])
        var open: [String.Index] = []
        var previous: Character = " "
        while let character = rest.text.first {
            if rest.skipCommentOrString() {
                previous = " "
                continue
            }
            if !previous.isPartOfName, Self.wrapper(at: rest.text, recording) != nil, let parenthesis = open.last {
                var group = SourceText(text[parenthesis...])
                guard text[parenthesis] == "(", let arguments = group.takeGroup("(", ")") else { return nil }
                let head = text[..<parenthesis].reversed().prefix { $0.isPartOfName || ".<>".contains($0) }
                if head.isEmpty { return nil }
                expression = String(head.reversed()) + arguments
                return
            }
            if "([{".contains(character) { open.append(rest.text.startIndex) }
            if ")]}".contains(character) { _ = open.popLast() }
            previous = character
            rest.text.removeFirst()
        }
        return nil
    }

    private static func wrapper(at text: Substring, _ recording: String) -> String? {
        guard text.hasPrefix("\(recording).") else { return nil }
        let rest = text.dropFirst(recording.count + 1)
        return wrappers.first { rest.hasPrefix("\($0)(") }
    }

    /// Returns the closure of a plan: the same expression with stubs in place of the wrapped functions.
    func closure(_ script: Script) -> String {
        var (result, rest) = ("", SourceText(expression[...]))
        var previous: Character = " "
        while let character = rest.text.first {
            let start = rest.text
            if rest.skipCommentOrString() {
                result += start[..<rest.text.startIndex]
                previous = " "
            } else if !previous.isPartOfName, let wrapper = Self.wrapper(at: rest.text, recording) {
                rest.text = rest.text.dropFirst(recording.count + 1)
                let call = SourceCall(in: String(rest.text), line: 1, of: wrapper)
                rest.text = rest.text.dropFirst(wrapper.count)
                _ = rest.takeGroup("(", ")")
                // A closure after the parentheses is the wrapped function.
                _ = rest.takeGroup("{", "}")
                result += Self.stub(wrapper, call?.list.first.map(Self.name) ?? "", script)
                // The scheduler of a recording is erased, that of stubs is not.
                let erasure = ".eraseToAnyScheduler()"
                if wrapper == "scheduler", !rest.text.hasPrefix(erasure) { result += erasure }
                previous = ")"
            } else {
                previous = character
                result.append(character)
                rest.text.removeFirst()
            }
        }
        return "{ stubs in \(result.indented(by: 4)) }"
    }

    /// Returns the name in an argument: the text of a literal, or the last component of a constant.
    private static func name(of argument: Substring) -> String {
        let text = argument.filter { !$0.isWhitespace }
        if text.hasPrefix("\""), let value = SourceText.value(ofLiteral: text[...]) { return value }
        return text.split(separator: ".").last.map(String.init) ?? ""
    }

    private static func stub(_ wrapper: String, _ name: String, _ script: Script) -> String {
        switch wrapper {
        case "scheduler", "clock": return "stubs.\(wrapper)"
        case "function":
            let results = script.results[name] ?? []
            if !results.isEmpty, results.allSatisfy({ $0.source == "()" }) { return "stubs.function(\(name))" }
            return "stubs.function(\(name), inOrder: [\(results.map(\.source.escapingControls).joined(separator: ", "))])"
        default: return "stubs.\(wrapper)(\(name))"
        }
    }
}

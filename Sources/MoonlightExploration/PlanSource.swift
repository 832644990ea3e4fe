import MoonlightTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a call in a source file, as the test that made it was written.
struct SourceCall {
    /// The name of what is called.
    let name: String
    /// What stands in the parentheses, and in the closure behind them, with its braces; empty if there are none.
    let arguments: String, closure: String

    /// Reads a call; nil if the file cannot be read, or is not what was compiled.
    ///
    /// - Parameters:
    ///   - place: The place of the call. Within a macro, such as `#expect`, it is that of the macro, and the call comes later.
    ///   - name: What is called.
    ///   - title: The call's first argument, a string; nil for any call of the name.
    init?(at place: SourcePlace, of name: String, title: String? = nil) {
        guard let text = try? String(contentsOfFile: "\(place.file)", encoding: .utf8) else { return nil }
        self.init(in: text, line: place.line, of: name, title: title)
    }

    init?(in text: String, line: UInt, of name: String, title: String? = nil) {
        var rest = text[...]
        for _ in 1..<max(1, line) {
            guard let end = rest.firstIndex(of: "\n") else { return nil }
            rest = rest[end...].dropFirst()
        }
        let beginning = title.map { SwiftSource.of($0) } ?? ""
        while !rest.isEmpty {
            if rest.hasPrefix(name), Self.isBoundary(before: rest.startIndex, in: text) {
                var behind = rest.dropFirst(name.count)
                let arguments = Self.takeGroup(&behind, "(", ")").map { String($0.drop { $0 != "(" }.dropFirst().dropLast()) }
                let closure = Self.takeGroup(&behind, "{", "}").map { String($0) }
                if let found = arguments ?? closure.map({ _ in "" }),
                    found.drop(while: { $0 == " " || $0 == "\n" }).hasPrefix(beginning)
                {
                    (self.name, self.arguments, self.closure) = (name, found, closure ?? "")
                    return
                }
            }
            rest.removeFirst()
        }
        return nil
    }

    /// Whether a name begins at an index.
    private static func isBoundary(before index: String.Index, in text: String) -> Bool {
        guard index > text.startIndex else { return true }
        let character = text[text.index(before: index)]
        return !character.isLetter && !character.isNumber && character != "_"
    }

    /// Takes a group in brackets off the beginning of a text, blanks before it included; nil if there is none.
    private static func takeGroup(_ text: inout Substring, _ open: Character, _ close: Character) -> Substring? {
        let start = text.drop { $0 == " " || $0 == "\n" }
        guard start.first == open else { return nil }
        var (depth, rest) = (0, start)
        while let character = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { $0 != "\n" }
                continue
            }
            if character == "\"" {
                skipString(&rest)
                continue
            }
            rest.removeFirst()
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) {
                depth -= 1
                if depth == 0 {
                    text = rest
                    return character == close ? start[..<rest.startIndex] : nil
                }
            }
        }
        return nil
    }

    private static func skipString(_ text: inout Substring) {
        let mark = text.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        text = text.dropFirst(mark.count)
        while !text.isEmpty, !text.hasPrefix(mark) { text = text.dropFirst(text.hasPrefix("\\") ? 2 : 1) }
        text = text.dropFirst(mark.count)
    }

    /// The last argument: the closure behind the parentheses, or what stands in them behind the last comma of the outermost level,
    /// without its label.
    func last(label: String? = nil) -> String {
        if !closure.isEmpty { return closure }
        var (depth, start, rest) = (0, arguments.startIndex, arguments[...])
        while let character = rest.first {
            if character == "\"" {
                Self.skipString(&rest)
                continue
            }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            rest.removeFirst()
            if character == ",", depth == 0 { start = rest.startIndex }
        }
        var argument = arguments[start...].drop { $0 == " " || $0 == "\n" }
        if let label, argument.hasPrefix("\(label):") {
            argument = argument.dropFirst(label.count + 1).drop { $0 == " " }
        }
        return String(argument)
    }
}

extension Exploration {
    /// Returns the source of a plan that plays a story and fails at its end; nil if the property is not one of a moment.
    ///
    /// The text of the reducer, the environment and the property is read from the file of the test. Answers are given only to calls
    /// that wait, since a program in which the fault is mended may have cancelled them.
    func planSource(of path: [Choice], violating property: Property<State>) -> String? {
        guard let check = check(of: property) else { return nil }
        var lines = [beginning]
        let play = Play(self)
        for choice in path {
            guard let step = (try? play.source(of: choice)) ?? nil, (try? play.make(choice)) == true else { return nil }
            lines.append("    \(step)")
        }
        lines.append("    \(check)")
        lines.append("    .ignoringCalls().ignoringInFlight().ignoringRelease()")
        lines.append("    .run()")
        return lines.joined(separator: "\n")
    }

    private var beginning: String {
        guard let call = SourceCall(at: place, of: "Exploration") else {
            return "try Plan(reducer, given: \(SwiftSource.of(given))) { stubs in environment(stubs) }"
        }
        return "try Plan(\(call.arguments))\(call.closure.isEmpty ? "" : " \(call.closure)")"
    }

    private func check(of property: Property<State>) -> String? {
        let (method, label, arguments): (String, String?, String)
        switch property.kind {
        case .always where property.name.hasPrefix("never: "):
            (method, label, arguments) = ("never", nil, ", in: .lastStep, is: false")
        case .always: (method, label, arguments) = ("always", nil, ", in: .lastStep")
        case .whenQuiet: (method, label, arguments) = ("whenQuiet", nil, ", in: .quiet")
        case .eventually: (method, label, arguments) = ("eventually", "until", "")
        case .canAlways: return nil
        }
        let name = method == "never" ? String(property.name.dropFirst("never: ".count)) : property.name
        let holds = SourceCall(at: property.place, of: method, title: name)?.last(label: label) ?? "{ state in holds(state) }"
        let title = SwiftSource.of(name)
        let step = holds.hasPrefix("{") ? ".holds(\(title)\(arguments)) \(holds)" : ".holds(\(title)\(arguments), \(holds))"
        guard let place = property.scope else { return step }
        guard let scope = SourceCall(at: place, of: "scoped") else { return nil }
        return ".scoped(\(scope.arguments)) { $0\(step) }"
    }
}

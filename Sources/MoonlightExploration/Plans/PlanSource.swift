import MoonlightTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a call in a source file, as the test that made it was written.
struct SourceCall {
    /// What stands in the parentheses; empty if there are none.
    let arguments: String
    /// The closures behind the parentheses, with their braces and labels; empty if there are none.
    let closures: String
    /// The last one of them, without its label; empty if there is none.
    let lastClosure: String

    /// Reads a call; nil if the file cannot be read, or is not what was compiled.
    ///
    /// - Parameters:
    ///   - place: The place of the call. Within a macro, such as `#expect`, it is that of the macro, and the call comes later.
    ///   - name: What is called.
    ///   - title: The call's first argument, a string. A call whose first argument is no plain literal may also be meant.
    init?(at place: SourcePlace, of name: String, title: String? = nil) {
        guard let text = try? String(contentsOfFile: "\(place.file)", encoding: .utf8) else { return nil }
        self.init(in: text, line: place.line, of: name, title: title)
    }

    init?(in text: String, line: UInt, of name: String, title: String? = nil) {
        var rest = SourceText(text[...])
        guard rest.skip(lines: max(1, line) - 1) else { return nil }
        var previous: Character = " "
        while let character = rest.text.first {
            if rest.skipCommentOrString() {
                previous = " "
                continue
            }
            if rest.text.hasPrefix(name), !previous.isPartOfName, let call = Self(after: name, in: rest) {
                if title == nil || call.isTitled(title) ?? true {
                    self = call
                    return
                }
            }
            previous = character
            rest.text.removeFirst()
        }
        return nil
    }

    /// Reads a call that begins with its name; nil if neither parentheses nor a closure follow.
    private init?(after name: String, in source: SourceText) {
        var rest = source
        rest.text = rest.text.dropFirst(name.count)
        let group = rest.takeGroup("(", ")")
        let start = rest.text
        guard let first = rest.takeGroup("{", "}") ?? (group == nil ? nil : "") else { return nil }
        var last = first
        while !first.isEmpty, let next = rest.takeLabelledClosure() { last = next }
        arguments = group.map { String($0.dropFirst().dropLast()) } ?? ""
        closures = first.isEmpty ? "" : String(start[..<rest.text.startIndex].drop(while: \.isWhitespace))
        lastClosure = String(last)
    }

    /// Whether the first argument is a literal of a text; nil if it is something else, such as a constant.
    private func isTitled(_ title: String?) -> Bool? {
        let start = arguments.drop(while: \.isWhitespace)
        guard start.hasPrefix("\""), !start.hasPrefix("\"\"\"") else { return nil }
        var rest = SourceText(start)
        _ = rest.skipCommentOrString()
        return SourceText.value(ofLiteral: start[..<rest.text.startIndex]).map { $0 == title }
    }

    /// The arguments in the parentheses, one by one, with the blanks around them.
    private var list: [Substring] {
        var (list, depth) = ([Substring](), 0)
        var (start, rest) = (arguments.startIndex, SourceText(arguments[...]))
        while let character = rest.text.first {
            if rest.skipCommentOrString() { continue }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 {
                list.append(arguments[start..<rest.text.startIndex])
                start = arguments.index(after: rest.text.startIndex)
            }
            rest.text.removeFirst()
        }
        return list + [arguments[start...]]
    }

    /// What stands in the parentheses, without the argument of a label.
    func arguments(without label: String) -> String {
        let kept = list.filter { !$0.drop(while: \.isWhitespace).hasPrefix("\(label):") }
        if kept.count == list.count { return arguments }
        let text = kept.joined(separator: ",").drop(while: \.isWhitespace)
        // The line break behind the last argument belongs to the one that is left out.
        return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
    }

    /// The last argument: the last closure behind the parentheses, or what stands last in them, without its label.
    func last(label: String? = nil) -> String {
        if !lastClosure.isEmpty { return lastClosure }
        var argument = (list.last ?? "").drop(while: \.isWhitespace)
        if let label, argument.hasPrefix("\(label):") {
            argument = argument.dropFirst(label.count + 1).drop(while: \.isWhitespace)
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
        if case .canAlways = property.kind { return nil }
        return planSource(of: path, allowing: "    .ignoringRefusals()") { play in check(of: property, atRest: play.isQuiet) }
    }

    /// Returns the source of a plan that plays a story and fails because something is refused at its end.
    func planSource(ofRefusalAfter path: [Choice]) -> String? { planSource(of: path, allowing: nil) { _ in nil } }

    private func planSource(
        of path: [Choice], allowing refusals: String?, check: (Play<State, Event, Effect, Environment>) -> String?
    ) -> String? {
        var lines = [beginning] + (refusals.map { [$0] } ?? [])
        let play = Play(self)
        for choice in path {
            guard let step = (try? play.source(of: choice)) ?? nil, (try? play.make(choice)) == true else { return nil }
            lines.append("    \(step)")
        }
        if let check = check(play) { lines.append("    \(check)") }
        lines.append("    .ignoringCalls().ignoringInFlight().ignoringRelease()")
        lines.append("    .run()")
        return lines.joined(separator: "\n")
    }

    private var beginning: String {
        guard let call = SourceCall(at: place, of: "Exploration") else {
            return "try Plan(reducer, given: \(SwiftSource.of(given))) { stubs in environment(stubs) }"
        }
        // A plan needs no key: it compares no moments.
        let closures = call.closures.isEmpty ? "" : " \(call.closures)"
        return "try Plan(\(call.arguments(without: "key")))\(closures)".indented(by: 0)
    }

    /// The step that asks whether a property holds.
    ///
    /// Where nothing is alive at the end of the story, what is owed is asked for only if that is so: in a program in which the
    /// fault is mended, more may be on its way.
    private func check(of property: Property<State>, atRest: Bool) -> String {
        let (method, label, arguments): (String, String?, String)
        switch property.kind {
        case .always where property.name.hasPrefix("never: "):
            (method, label, arguments) = ("never", nil, ", in: .lastStep, is: false")
        case .always: (method, label, arguments) = ("always", nil, ", in: .lastStep")
        case .whenQuiet: (method, label, arguments) = ("whenQuiet", nil, ", in: .quiet")
        case .eventually, .canAlways: (method, label, arguments) = ("eventually", "until", atRest ? ", in: .quiet" : "")
        }
        let name = method == "never" ? String(property.name.dropFirst("never: ".count)) : property.name
        let holds =
            SourceCall(at: property.place, of: method, title: name)?.last(label: label).indented(by: 4)
            ?? "{ state in holds(state) }"
        let title = SwiftSource.of(name)
        let step = holds.hasPrefix("{") ? ".holds(\(title)\(arguments)) \(holds)" : ".holds(\(title)\(arguments), \(holds))"
        guard let place = property.scope else { return step }
        guard let scope = SourceCall(at: place, of: "scoped") else { return step }
        return ".scoped(\(scope.arguments)) { $0\(step) }"
    }
}

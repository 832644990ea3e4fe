#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a call in a source file, as the test that made it was written.
package struct SourceCall {
    /// What stands in the parentheses; empty if there are none.
    package let arguments: String
    /// The closures behind the parentheses, with their braces and labels; empty if there are none.
    package let closures: String
    /// The last one of them, without its label; empty if there is none.
    package let lastClosure: String

    /// Reads a call; nil if the file cannot be read, or is not what was compiled.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - line: The line of the call. Within a macro, such as `#expect`, it is that of the macro, and the call comes later.
    ///   - name: What is called.
    ///   - title: The call's first argument, a string. A call whose first argument is no plain literal may also be meant.
    package init?(in file: StaticString, at line: UInt, of name: String, title: String? = nil) {
        guard let text = try? String(contentsOfFile: "\(file)", encoding: .utf8) else { return nil }
        self.init(in: text, line: line, of: name, title: title)
    }

    package init?(in text: String, line: UInt, of name: String, title: String? = nil) {
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

    /// Returns all calls of a name in a text, in their order. A call inside another one of them is left out.
    package static func all(of name: String, in text: String) -> [SourceCall] {
        var (calls, rest, previous) = ([SourceCall](), SourceText(text[...]), Character(" "))
        while let character = rest.text.first {
            if rest.skipCommentOrString() {
                previous = " "
            } else if rest.text.hasPrefix(name), !previous.isPartOfName, let call = Self(after: name, in: rest) {
                calls.append(call)
                rest.text = rest.text.dropFirst(name.count)
                _ = rest.takeGroup("(", ")")
            } else {
                previous = character
                rest.text.removeFirst()
            }
        }
        return calls
    }

    /// The argument with a label, without the label; nil if there is none.
    package func argument(_ label: String) -> String? {
        for argument in list {
            let text = argument.drop(while: \.isWhitespace)
            guard text.hasPrefix("\(label):") else { continue }
            let value = text.dropFirst(label.count + 1).drop(while: \.isWhitespace)
            return value.lastIndex { !$0.isWhitespace }.map { String(value[...$0]) }
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
    package var list: [Substring] {
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
    package func arguments(without label: String) -> String {
        let kept = list.filter { !$0.drop(while: \.isWhitespace).hasPrefix("\(label):") }
        if kept.count == list.count { return arguments }
        let text = kept.joined(separator: ",").drop(while: \.isWhitespace)
        // The line break behind the last argument belongs to the one that is left out.
        return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
    }

    /// The last argument: the last closure behind the parentheses, or what stands last in them, without its label.
    package func last(label: String? = nil) -> String {
        if !lastClosure.isEmpty { return lastClosure }
        var argument = (list.last ?? "").drop(while: \.isWhitespace)
        if let label, argument.hasPrefix("\(label):") {
            argument = argument.dropFirst(label.count + 1).drop(while: \.isWhitespace)
        }
        return String(argument)
    }
}

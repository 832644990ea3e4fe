#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of a call in a source file, as its author wrote it.
package struct SourceCall {
    /// The text between the parentheses; empty if there are none.
    package let arguments: String
    /// The closures after the parentheses, with their braces and labels; empty if there are none.
    package let closures: String
    /// The last of the closures, without its label; empty if there is none.
    package let lastClosure: String

    /// Reads a call; nil if the file cannot be read, or has changed since it was compiled.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - line: The line of the call. Within a macro, such as `#expect`, it is that of the macro, and the call comes later.
    ///   - name: The name of the called function.
    ///   - title: The call's first argument, a string. A call whose first argument is not a plain literal matches any title.
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

    /// Returns all calls of a function in a text, in order, without those that are nested in another.
    package static func all(of name: String, in text: String) -> [SourceCall] {
        var (calls, rest, previous) = ([SourceCall](), SourceText(text[...]), Character(" "))
        while let character = rest.text.first {
            if rest.skipCommentOrString() {
                previous = " "
            } else if rest.text.hasPrefix(name), !previous.isPartOfName, let call = Self(after: name, in: rest) {
                calls.append(call)
                rest.text = rest.text.dropFirst(name.count)
                _ = rest.skipTypeArguments()
                _ = rest.takeGroup("(", ")")
            } else {
                previous = character
                rest.text.removeFirst()
            }
        }
        return calls
    }

    /// Returns the argument with a label, without the label; nil if there is none.
    package func argument(_ label: String) -> String? {
        for argument in list {
            let text = argument.drop(while: \.isWhitespace)
            guard text.hasPrefix("\(label):") else { continue }
            let value = text.dropFirst(label.count + 1).drop(while: \.isWhitespace)
            return value.lastIndex { !$0.isWhitespace }.map { String(value[...$0]) }
        }
        return nil
    }

    /// Reads a call that begins with its name, perhaps with type arguments; nil if neither parentheses nor a closure follow.
    private init?(after name: String, in source: SourceText) {
        var rest = source
        rest.text = rest.text.dropFirst(name.count)
        let hasTypeArguments = rest.skipTypeArguments()
        let group = rest.takeGroup("(", ")")
        // Otherwise it is the type of a property or a result, which a body follows.
        if hasTypeArguments, group == nil { return nil }
        let start = rest.text
        guard let first = rest.takeGroup("{", "}") ?? (group == nil ? nil : "") else { return nil }
        var last = first
        while !first.isEmpty, let next = rest.takeLabelledClosure() { last = next }
        arguments = group.map { String($0.dropFirst().dropLast()) } ?? ""
        closures = first.isEmpty ? "" : String(start[..<rest.text.startIndex].drop(while: \.isWhitespace))
        lastClosure = String(last)
    }

    /// Returns whether the first argument is a literal with a text; nil if it is not a literal, such as a constant.
    private func isTitled(_ title: String?) -> Bool? {
        let start = arguments.drop(while: \.isWhitespace)
        guard start.hasPrefix("\""), !start.hasPrefix("\"\"\"") else { return nil }
        var rest = SourceText(start)
        _ = rest.skipCommentOrString()
        return SourceText.value(ofLiteral: start[..<rest.text.startIndex]).map { $0 == title }
    }

    /// The arguments in the parentheses, with the whitespace around them.
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

    /// Returns the text between the parentheses, without the argument of a label.
    package func arguments(without label: String) -> String {
        let kept = list.filter { !$0.drop(while: \.isWhitespace).hasPrefix("\(label):") }
        if kept.count == list.count { return arguments }
        let text = kept.joined(separator: ",").drop(while: \.isWhitespace)
        // The line break after the last argument belongs to the one that is omitted.
        return text.lastIndex { !$0.isWhitespace }.map { String(text[...$0]) } ?? ""
    }

    /// Returns the last argument: the last closure after the parentheses, or the last one between them, without its label.
    package func last(label: String? = nil) -> String {
        if !lastClosure.isEmpty { return lastClosure }
        var argument = (list.last ?? "").drop(while: \.isWhitespace)
        if let label, argument.hasPrefix("\(label):") {
            argument = argument.dropFirst(label.count + 1).drop(while: \.isWhitespace)
        }
        return String(argument)
    }
}

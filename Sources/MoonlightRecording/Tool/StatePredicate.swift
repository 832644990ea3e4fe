/// A condition on a state, in the notation of the command line: `lines[2].text == "x"`, `count > 3`, `name contains mo`.
package struct StatePredicate: Equatable, Sendable {
    package enum Comparison: String, CaseIterable, Sendable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case more = ">"
        case contains = "contains"
    }

    let path: [String]
    let comparison: Comparison
    let value: String

    /// Parses a condition.
    ///
    /// - Throws: ``RecordingError/question(_:)`` with the reason.
    package init(_ text: String) throws(RecordingError) {
        let usage =
            "write PATH == VALUE, with one of \(Comparison.allCases.map(\.rawValue).joined(separator: ", ")) in the middle"
        var rest = text.drop { $0 == " " }
        path = Self.takePath(from: &rest)
        let words = rest.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { throw .question("\"\(text)\" is not a condition: \(usage)") }
        guard let comparison = Comparison(rawValue: String(words[0])) else {
            throw .question("\"\(words[0])\" is not a comparison: \(usage)")
        }
        self.comparison = comparison
        value = String(words[1]).trimmed
    }

    /// Takes a path from the beginning of a text, up to a space outside of brackets: `lines[2].text`, `prices["green tea"]`.
    private static func takePath(from text: inout Substring) -> [String] {
        var names: [String] = []
        var name = ""
        var isQuoted = false
        var isEscape = false
        var depth = 0
        while let character = text.first, character != " " || isQuoted || depth > 0 {
            text.removeFirst()
            let isEscaped = isEscape
            isEscape = isQuoted && character == "\\" && !isEscaped
            switch character {
            case "\"" where !isEscaped: isQuoted.toggle()
            case "[" where !isQuoted: depth += 1
            case "]" where !isQuoted: depth -= 1
            default: break
            }
            let ends =
                !isQuoted && (character == "[" && depth == 1 || character == "]" && depth == 0 || character == "." && depth == 0)
            if !ends {
                name.append(character)
                continue
            }
            if !name.isEmpty { names.append(name) }
            name = ""
        }
        return name.isEmpty ? names : names + [name]
    }

    /// Returns true if the condition holds in a state. A missing value is unequal to every value.
    package func holds(in state: StateTree) -> Bool {
        guard let part = state[path] else { return comparison == .unequal }
        let (source, text) = (part.source, part.text)
        switch comparison {
        case .equal: return isSame(source, text)
        case .unequal: return !isSame(source, text)
        case .contains: return source.contains(value) || text.contains(value)
        case .less, .more, .atMost, .atLeast:
            if let number = Double(source), let other = Double(value) { return compare(number, other) }
            return compare(text.unquoted, value.unquoted)
        }
    }

    private func isSame(_ source: String, _ text: String) -> Bool {
        if source == value || text == value || source.unquoted == value { return true }
        guard let number = Double(source), let other = Double(value) else { return false }
        return number == other
    }

    private func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
        switch comparison {
        case .less: one < other
        case .more: one > other
        case .atMost: one <= other
        default: one >= other
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { String(start[...$0]) } ?? ""
    }

    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}

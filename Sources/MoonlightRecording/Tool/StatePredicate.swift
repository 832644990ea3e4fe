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
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard words.count == 3 else { throw .question("\"\(text)\" is not a condition: \(usage)") }
        guard let comparison = Comparison(rawValue: String(words[1])) else {
            throw .question("\"\(words[1])\" is not a comparison: \(usage)")
        }
        self.comparison = comparison
        path = Self.path(words[0])
        value = String(words[2]).trimmed
    }

    /// Parses a path: `lines[2].text`, `prices["tea"]`.
    package static func path(_ text: some StringProtocol) -> [String] {
        var (names, name, isQuoted, depth) = ([String](), "", false, 0)
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
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

    fileprivate func contains(_ other: String) -> Bool {
        if other.isEmpty { return true }
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(other) { return true }
            rest.removeFirst()
        }
        return false
    }
}

/// The rest of a source file, read from the front.
package struct SourceText {
    package var text: Substring

    package init(_ text: Substring) { self.text = text }

    /// Skips lines; returns false if there are too few.
    package mutating func skip(lines count: UInt) -> Bool {
        for _ in 0..<count {
            guard let end = text.firstIndex(where: \.isNewline) else { return false }
            text = text[end...].dropFirst()
        }
        return true
    }

    /// Skips a comment or a string literal; returns false if the text begins with neither.
    package mutating func skipCommentOrString() -> Bool {
        if text.hasPrefix("//") {
            text = text.drop { !$0.isNewline }
            return true
        }
        if text.hasPrefix("/*") {
            skipComment()
            return true
        }
        let marks = text.prefix { $0 == "#" }
        guard text[marks.endIndex...].hasPrefix("\"") else { return false }
        skipString(raw: String(marks))
        return true
    }

    /// Skips a comment between `/*` and `*/`, which may be nested.
    private mutating func skipComment() {
        var depth = 0
        repeat {
            let step = text.hasPrefix("/*") ? 1 : text.hasPrefix("*/") ? -1 : 0
            depth += step
            text = text.dropFirst(step == 0 ? 1 : 2)
        } while depth > 0 && !text.isEmpty
    }

    /// Skips a string literal, including its interpolations.
    private mutating func skipString(raw marks: String) {
        text = text.dropFirst(marks.count)
        let quotes = text.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        text = text.dropFirst(quotes.count)
        while !text.isEmpty, !text.hasPrefix(quotes + marks) {
            if text.hasPrefix("\\\(marks)(") {
                text = text.dropFirst(1 + marks.count)
                if takeGroup("(", ")") == nil { text = text.dropFirst() }
            } else {
                text = text.dropFirst(text.hasPrefix("\\\(marks)") ? 2 + marks.count : 1)
            }
        }
        text = text.dropFirst(quotes.count + marks.count)
    }

    /// Takes a bracketed group, with the whitespace before it; nil if there is none.
    package mutating func takeGroup(_ open: Character, _ close: Character) -> Substring? {
        var rest = SourceText(text.drop(while: \.isWhitespace))
        let start = rest.text
        guard start.first == open else { return nil }
        var depth = 0
        while let character = rest.text.first {
            if rest.skipCommentOrString() { continue }
            rest.text.removeFirst()
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth > 0 { continue }
            guard character == close else { return nil }
            self = rest
            return start[..<rest.text.startIndex]
        }
        return nil
    }

    /// Skips type arguments, such as `<Int, [String]>`; returns false if the text does not begin with them.
    package mutating func skipTypeArguments() -> Bool {
        var (rest, depth, previous) = (text, 0, Character(" "))
        guard rest.hasPrefix("<") else { return false }
        while let character = rest.popFirst() {
            if character == "<" { depth += 1 }
            // Not the arrow of a function.
            if character == ">", previous != "-" { depth -= 1 }
            if depth == 0 {
                text = rest
                return true
            }
            previous = character
        }
        return false
    }

    /// Takes a labelled closure that follows another closure; returns it without the label, or nil if there is none.
    package mutating func takeLabelledClosure() -> Substring? {
        var rest = SourceText(text.drop(while: \.isWhitespace))
        let label = rest.text.prefix(while: \.isPartOfName)
        rest.text = rest.text.dropFirst(label.count)
        guard !label.isEmpty, rest.text.hasPrefix(":") else { return nil }
        rest.text.removeFirst()
        guard let closure = rest.takeGroup("{", "}") else { return nil }
        self = rest
        return closure
    }

    /// Returns the text of a literal in simple quotes; nil if it has interpolations.
    package static func value(ofLiteral literal: Substring) -> String? {
        var (value, rest) = ("", literal.dropFirst().dropLast())
        while let character = rest.popFirst() {
            guard character == "\\" else {
                value.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": value += "\n"
            case "r": value += "\r"
            case "t": value += "\t"
            case "0": value += "\0"
            case "u":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else { return nil }
                value.unicodeScalars.append(scalar)
                rest = rest.dropFirst(digits.count + 2)
            case let quoted? where "\\\"'".contains(quoted): value.append(quoted)
            default: return nil
            }
        }
        return value
    }
}

extension String {
    /// Returns the text with all lines but the first moved, so that the leftmost of them has an indentation.
    package func indented(by indentation: Int) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        let indentations = lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }
        guard let least = indentations.min() else { return self }
        let moved = lines.dropFirst().map { line in
            line.allSatisfy(\.isWhitespace) ? "" : String(repeating: " ", count: indentation) + line.dropFirst(least)
        }
        return ([String(lines[0])] + moved).joined(separator: "\n")
    }
}

extension Character {
    /// True for a character that may continue a name.
    package var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}

extension String {
    /// The text on one line, with each character that would steer a terminal written as an escape, such as `\u{1B}`.
    ///
    /// These are the control characters, the separators of lines and paragraphs, and those that change the direction of the text.
    /// This package escapes everything that it prints to a terminal, a pipe or a file in this way, except the cells of a frame, so
    /// that untrusted text can neither move the cursor nor begin a line.
    package var escapingControls: String { escaping(\.isSteering) }

    /// The text with each of its lines escaped as by ``escapingControls``; line feeds and tabulators stay.
    package var escapingControlsInLines: String { escaping { $0.isSteering && $0 != "\n" && $0 != "\t" } }

    private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        let isPlain = utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
        if isPlain == true { return self }
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The text as a JSON string literal, with everything that ``escapingControls`` escapes as `\u` escapes.
    package var jsonLiteral: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.isSteering:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension Unicode.Scalar {
    /// True if a terminal acts on it, or shows the following text in another direction.
    package var isSteering: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

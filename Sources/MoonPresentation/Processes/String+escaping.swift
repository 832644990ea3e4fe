extension String {
    /// The text with each character that would steer a terminal written as an escape, such as `\u{1B}`.
    ///
    /// These are the control characters, the separators of lines and paragraphs, and those that turn the direction of what follows.
    /// In lines for a pipe or a file, unlike in cells, the reader can tell what it was.
    var escapingControls: String {
        let isPlain = utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20..<0x7F).contains($0) } }
        if isPlain == true { return self }
        guard unicodeScalars.contains(where: \.isSteering) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isSteering {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isSteering: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

// How many columns of a terminal a text takes, and making it fit.
//
// Terminals do not agree on every character (emoji that are joined from several, above all). What counts here is what
// Unicode says; a row that a terminal takes to be longer is cut there and does not wrap, see Frame.

extension StringProtocol {
    /// How many columns the text takes on a terminal.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// As much of the beginning of the text as fits into so many columns.
    func prefix(columns limit: Int) -> SubSequence {
        var room = limit
        return prefix { character in
            room -= character.columns
            return room >= 0
        }
    }
}

extension String {
    /// The text, or as much of its beginning as fits into so many columns with an ellipsis behind it.
    public func fitting(columns limit: Int) -> String {
        if prefix(columns: limit).endIndex == endIndex { return self }
        return limit > 0 ? prefix(columns: limit - 1) + "…" : ""
    }

    /// The text with each character that would steer a terminal written as an escape, such as `\u{1B}`.
    ///
    /// These are the control characters, the separators of lines and paragraphs, and those that turn the direction of
    /// what follows.
    public var escapingControls: String {
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

extension Character {
    /// How many columns the character takes on a terminal: 0, 1 or 2, but for rare clusters of several letters.
    var columns: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return first.columns }
        // An emoji with a colour of skin, joined to others, or asked for by a variation selector is one picture.
        let isPicture = first.properties.isEmoji && scalars.contains { $0 == "\u{FE0F}" || $0 == "\u{200D}" }
        if isPicture || first.properties.isEmojiPresentation { return 2 }
        return scalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        if (0x20..<0x7F).contains(value) { return 1 }
        if isZeroWidth { return 0 }
        return isWide ? 2 : 1
    }

    private var isZeroWidth: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0xAD  // A soft hyphen is shown.
        default: (0x1160...0x11FF).contains(value)  // The later parts of a Hangul syllable written in parts.
        }
    }

    /// Whether it is East Asian wide or a picture. The ranges hold some numbers that are not assigned yet, as the standard
    /// advises.
    private var isWide: Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F: true
        case 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3: true
        case 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6: true
        case 0x16FE0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F2FF, 0x20000...0x3FFFD: true
        default: properties.isEmojiPresentation
        }
    }

    fileprivate var isSteering: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

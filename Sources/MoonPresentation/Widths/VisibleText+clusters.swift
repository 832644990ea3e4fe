extension VisibleText {
    /// The grapheme cluster at an offset, by Swift's rules, which are Unicode's.
    @inline(never)
    static func cluster(of text: Substring, at offset: Int, column: Int) -> VisiblePart {
        let start = text.utf8.index(text.startIndex, offsetBy: offset)
        let end = text.index(after: start)
        let scalars = text.unicodeScalars[start..<end]
        let source = offset..<(offset + text.utf8.distance(from: start, to: end))
        let first = scalars[start]
        let isSingle = scalars.index(after: start) == end
        if first == "\t" { return VisiblePart(scalar: 0x20, columns: tabulator - column % tabulator, source: source) }
        if first == "\r", !isSingle { return VisiblePart(scalar: newline, columns: 1, source: source) }
        if let picture = picture(of: first.value) { return VisiblePart(scalar: picture, columns: 1, source: source) }
        let parts = scalars.prefix(longestCluster)
        let isShapeless = ScalarWidth(first.value).columns == 0 || (0x1F3FB...0x1F3FF).contains(first.value)
        if needsBase(first) || !isSingle && isShapeless && ClusterWidth(parts).columns > 0 {
            // On a circle, it does not change whatever the terminal has before it.
            let width = ClusterWidth([circle] + parts)
            return VisiblePart(
                scalar: 0, columns: width.columns, isDoubtful: true, isJoining: true, isLone: true, source: source)
        }
        if !isSingle {
            // A cluster of joiners and selectors alone has no width, and is not shown.
            let width = ClusterWidth(parts)
            return VisiblePart(
                scalar: 0, columns: width.columns, isDoubtful: width.isDoubtful, isJoining: joinsNext(parts.last ?? first),
                source: source)
        }
        let width = ScalarWidth(first.value)
        return VisiblePart(
            scalar: first.value, columns: width.columns, isDoubtful: width.isDoubtful, isJoining: joinsNext(first), source: source
        )
    }

    /// Indicates whether a cluster that ends with a code point could be continued by the first of another cluster.
    private static func joinsNext(_ last: Unicode.Scalar) -> Bool {
        switch last.value {
        case 0xFE0E, 0xFE0F: false
        case 0x1F1E6...0x1F1FF, 0x200D: true
        default: !last.properties.isEmoji
        }
    }

    /// What a cell contains of a cluster: its code points, as far as they are bounded, on a dotted circle if they need one.
    static func shown(_ cluster: Substring, isLone: Bool) -> String {
        var shown = isLone ? String(circle) : ""
        shown.unicodeScalars.append(contentsOf: cluster.unicodeScalars.prefix(longestCluster))
        // A joiner at the end joins what the terminal is sent next, wherever that is to stand.
        while shown.unicodeScalars.last == "\u{200D}" { shown.unicodeScalars.removeLast() }
        return shown
    }

    private static let newline: UInt32 = 0x2424
    private static let circle: Unicode.Scalar = "\u{25CC}"

    /// What is shown in place of a code point that would act on the terminal, or on the order of the text around it.
    static func picture(of scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0..<0x20: 0x2400 + scalar
        case 0x7F: 0x2421
        case 0x2028, 0x2029: newline
        case 0x80..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: 0xFFFD
        default: nil
        }
    }

    /// Whether a code point belongs to the one before it: alone, it would be drawn over whatever the terminal has there.
    private static func needsBase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Vowels of Thai and Lao, and marks of narrow Katakana, which take cells of their own.
        case 0xE33, 0xEB3, 0xFF9E, 0xFF9F: return true
        default: break
        }
        guard ScalarWidth(scalar.value).columns == 0, !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        // Among the rest are marks, and vowels of Hangul that follow their consonant.
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .otherLetter: return true
        default: return false
        }
    }
}

extension VisibleText {
    /// The grapheme cluster at an offset, by Swift's rules, which are Unicode's.
    @inline(never)
    static func cluster(of text: Substring, at offset: Int, column: Int) -> VisiblePart {
        let start = text.utf8.index(text.startIndex, offsetBy: offset)
        let end = text.index(after: start)
        let scalars = text.unicodeScalars[start..<end]
        let source = offset..<(offset + text.utf8.distance(from: start, to: end))
        let first = scalars[start]
        if scalars.index(after: start) != end {
            if first == "\r" { return VisiblePart(scalar: newline, columns: 1, source: source) }
            let width = ClusterWidth(scalars.prefix(longestCluster))
            let lone = needsBase(first)
            // A cluster of joiners and selectors alone shows nothing; a circle takes one cell.
            guard width.columns > 0 || lone else { return VisiblePart(scalar: 0, columns: 0, source: source) }
            return VisiblePart(
                scalar: 0, columns: lone ? min(2, width.columns + 1) : width.columns, isDoubtful: width.isDoubtful || lone,
                isLone: lone, source: source)
        }
        if first == "\t" { return VisiblePart(scalar: 0x20, columns: tabulator - column % tabulator, source: source) }
        if let picture = picture(of: first.value) { return VisiblePart(scalar: picture, columns: 1, source: source) }
        if needsBase(first) { return VisiblePart(scalar: 0, columns: 1, isDoubtful: true, isLone: true, source: source) }
        let width = ScalarWidth(first.value)
        return VisiblePart(scalar: first.value, columns: width.columns, isDoubtful: width.isDoubtful, source: source)
    }

    /// What a cell contains of a cluster: its code points, as far as they are bounded, on a dotted circle if they need one.
    static func shown(_ cluster: Substring, isLone: Bool) -> String {
        var shown = isLone ? "\u{25CC}" : ""
        shown.unicodeScalars.append(contentsOf: cluster.unicodeScalars.prefix(longestCluster))
        return shown
    }

    private static let newline: UInt32 = 0x2424

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

    /// Whether a code point is drawn over the one before it: alone, it would be drawn over whatever the terminal has there.
    private static func needsBase(_ scalar: Unicode.Scalar) -> Bool {
        guard ScalarWidth(scalar.value).columns == 0 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark:
            // Variation selectors and the joiner of graphemes are marks that have no shape.
            return !scalar.properties.isDefaultIgnorableCodePoint
        case .otherLetter: return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}

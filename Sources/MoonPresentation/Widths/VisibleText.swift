/// A piece of text as cells show it: a character, a picture in place of a control character, or the blanks of a tab.
struct VisiblePart {
    /// The code point to show; 0 for the cluster at `source`.
    var scalar: UInt32
    /// The cells: 1 or 2, or up to 8 blanks of a tab; 0 if nothing is shown.
    var columns: Int
    /// Indicates whether terminals may count the width differently.
    var isDoubtful = false
    /// Indicates whether the terminal could combine it with the next character, as with the second of two regional indicators.
    var isJoining = false
    /// Indicates whether it is a mark without a base, which is shown on a dotted circle.
    var isLone = false
    /// The place in the text, in bytes of UTF-8.
    var source: Range<Int>
}

/// The conversion of text to cells: its characters, their widths, and replacements for control characters.
enum VisibleText {
    /// The distance of tab stops, counted from the beginning of the text.
    static let tabulator = 8
    /// The largest number of code points of a cluster that are shown, so that a cell's memory is bounded.
    static let longestCluster = 16

    /// Calls a closure with each piece of a text, until it returns false.
    @inline(__always)
    static func scan(_ text: some StringProtocol, _ body: (VisiblePart) -> Bool) {
        if let string = text as? String {
            scan(string[...], body)
        } else if let slice = text as? Substring {
            scan(slice, body)
        } else {
            scan(String(text)[...], body)
        }
    }

    @inline(__always)
    private static func scan(_ text: Substring, _ body: (VisiblePart) -> Bool) {
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { scan($0, of: text, body) }
        guard done == nil else { return }
        var native = String(text)
        native.makeContiguousUTF8()
        native.utf8.withContiguousStorageIfAvailable { scan($0, of: native[...], body) }
    }

    @inline(__always)
    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>, of text: Substring, _ body: (VisiblePart) -> Bool) {
        var (offset, column) = (0, 0)
        while offset < bytes.count {
            if let (scalar, columns, end) = simple(bytes, at: offset) {
                guard body(VisiblePart(scalar: scalar, columns: columns, source: offset..<end)) else { return }
                offset = end
                column &+= columns
            } else {
                let part = cluster(of: text, at: offset, column: column)
                guard part.columns == 0 || body(part) else { return }
                offset = part.source.upperBound
                column &+= part.columns
            }
        }
    }

    /// The code point at an offset, if it is a character by itself without the rules of grapheme clusters.
    @inline(__always)
    private static func simple(
        _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
    ) -> (scalar: UInt32, columns: Int, end: Int)? {
        let first = bytes[offset]
        if first < 0x80 {
            guard first >= 0x20, first < 0x7F else { return nil }
            guard offset + 1 == bytes.count || bytes[offset + 1] < 0x80 || isSimple(bytes, at: offset + 1) else { return nil }
            return (UInt32(first), 1, offset + 1)
        }
        let (scalar, end) = decode(bytes, at: offset)
        let width = ScalarWidth(scalar)
        guard width.isSimple, end == bytes.count || bytes[end] < 0x80 || isSimple(bytes, at: end) else { return nil }
        return (scalar, width.columns, end)
    }

    private static func isSimple(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        ScalarWidth(decode(bytes, at: offset).scalar).isSimple
    }

    /// Decodes a code point that is not ASCII. Swift's strings are valid UTF-8.
    @inline(__always)
    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (scalar: UInt32, end: Int) {
        let first = UInt32(bytes[offset])
        func next(_ index: Int) -> UInt32 { UInt32(bytes[offset + index] & 0x3F) }
        if first < 0xE0 { return ((first & 0x1F) << 6 | next(1), offset + 2) }
        if first < 0xF0 { return ((first & 0x0F) << 12 | next(1) << 6 | next(2), offset + 3) }
        return ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), offset + 4)
    }
}

extension StringProtocol {
    /// The cells that the text takes in a row of a terminal, by Unicode's data: 2 for `"日"` and `"👩‍👩‍👧"`, 1 for `"é"`.
    ///
    /// Ambiguous characters count as narrow. A tab extends to the next multiple of 8 columns of the text. A control
    /// character takes a cell, because it is shown as a picture: see <doc:Terminals-and-widths>. O(n).
    public var columns: Int {
        var columns = 0
        VisibleText.scan(self) { part in
            columns &+= part.columns
            return true
        }
        return columns
    }
}

extension VisibleText {
    /// The grapheme cluster at an offset, by Swift's rules, which are Unicode's.
    @inline(never)
    static func cluster(of text: Substring, at offset: Int, column: Int) -> VisiblePart {
        // In a slice that begins here, nothing before the cluster is read. A flag may follow any number of others.
        let rest = text[text.utf8.index(text.startIndex, offsetBy: offset)...]
        let start = rest.startIndex
        let end = rest.index(after: start)
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
            // On a circle, it does not combine with the character before it.
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

    /// The code points of a cluster that a cell contains, on a dotted circle if they need a base.
    static func shown(_ cluster: Substring, isLone: Bool) -> String {
        var shown = isLone ? String(circle) : ""
        shown.unicodeScalars.append(contentsOf: cluster.unicodeScalars.prefix(longestCluster))
        // A joiner at the end would join the next character that the terminal receives, at any place.
        while shown.unicodeScalars.last == "\u{200D}" { shown.unicodeScalars.removeLast() }
        return shown
    }

    private static let newline: UInt32 = 0x2424
    private static let circle: Unicode.Scalar = "\u{25CC}"

    /// The replacement for a code point that would control the terminal or the direction of text; nil for others.
    static func picture(of scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x0A, 0x2028, 0x2029: newline
        case 0..<0x20: 0x2400 + scalar
        case 0x7F: 0x2421
        case 0x80..<0xA0, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: 0xFFFD
        default: nil
        }
    }

    /// Indicates whether a code point needs a base. Alone, a terminal would draw it over the character before it.
    private static func needsBase(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Vowels of Thai and Lao, and marks of narrow Katakana, which take separate cells.
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

/// A piece of text as cells show it: a character, a picture in place of a control character, or the blanks of a tabulator.
struct VisiblePart {
    /// The code point to show; 0 if it is a cluster of several, which `source` covers.
    var scalar: UInt32
    /// The cells that it takes: 1 or 2, or up to 8 blanks of a tabulator; 0 if it is shown as nothing.
    var columns: Int
    /// Indicates whether terminals may count it differently.
    var isDoubtful = false
    /// Indicates whether what follows in the terminal could become a part of it, as the second of two regional indicators does.
    var isJoining = false
    /// Indicates whether it is a mark with nothing to stand on, which gets a dotted circle.
    var isLone = false
    /// Where it stands in the text, in bytes of UTF-8.
    var source: Range<Int>
}

/// The one way from text to cells: which characters it has, how wide they are, and what is shown for those that would act.
enum VisibleText {
    /// The distance of the stops that a tabulator moves to, counted from where the text begins.
    static let tabulator = 8
    /// More code points than this are not shown of one cluster: a cell's memory is bounded.
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

    /// The code point at an offset, if it is a character by itself without a look at the rules of grapheme clusters.
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

    /// Decodes a code point that is not ASCII. The text is valid: Swift's strings are.
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
    /// The cells that the text takes in a row of a terminal, as Unicode's data tell: 2 for `"日"` and `"👩‍👩‍👧"`, 1 for `"é"`.
    ///
    /// Ambiguous characters count as narrow. A tabulator reaches to the next multiple of 8, counted from where the text begins.
    /// Control characters take a cell each, as they are shown as pictures: see <doc:Terminals-and-widths>. O(n).
    public var columns: Int {
        var columns = 0
        VisibleText.scan(self) { part in
            columns &+= part.columns
            return true
        }
        return columns
    }
}

/// Text whose parts may have different styles.
///
/// ```swift
/// let line = StyledText("warning: ", .bold) + "the disk is nearly full"
/// ```
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Text of one style.
    package struct Run: Hashable, Sendable {
        /// The text.
        package fileprivate(set) var text: String
        /// The style.
        package let style: Style

        /// Creates a run.
        package init(text: String, style: Style) {
            self.text = text
            self.style = style
        }
    }

    /// The parts, in order. None is empty, and neighbors have different styles.
    package private(set) var runs: [Run]

    /// No text.
    public init() { runs = [] }

    /// Text of one style.
    public init(_ text: some StringProtocol, _ style: Style = .plain) {
        runs = text.isEmpty ? [] : [Run(text: String(text), style: style)]
    }

    /// Plain text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text without its styles.
    public var string: String { runs.count == 1 ? runs[0].text : runs.reduce(into: "") { $0 += $1.text } }
    /// Indicates whether there is no text.
    package var isEmpty: Bool { runs.isEmpty }
    /// The columns that the text takes, the sum of its runs: see ``Swift/StringProtocol/columns``.
    public var columns: Int { runs.reduce(0) { $0 + $1.text.columns } }

    /// Adds text of one style.
    package mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        if let last = runs.indices.last, runs[last].style == style {
            runs[last].text += text
        } else {
            runs.append(Run(text: String(text), style: style))
        }
    }

    /// Adds text.
    package mutating func append(_ other: StyledText) {
        if isEmpty {
            self = other
        } else {
            for run in other.runs { append(run.text, run.style) }
        }
    }

    /// Concatenates two texts.
    public static func + (one: StyledText, other: StyledText) -> StyledText {
        var sum = one
        sum.append(other)
        return sum
    }

    /// Adds text.
    package static func += (one: inout StyledText, other: StyledText) { one.append(other) }
}

extension StyledText {
    /// Wraps the text: between words, within words that are longer than a line, and at line breaks.
    ///
    /// Blanks at which a line is wrapped are dropped. Tabs become blanks, up to the next multiple of 8 columns.
    ///
    /// - Parameter width: The columns of a line, at least 1. In one column, a wide character takes a whole line, and is clipped.
    /// - Returns: At least one line, which may be empty. O(n).
    public func wrapped(to width: Int) -> [StyledText] {
        var wrap = Wrap(width: max(1, width))
        for run in runs {
            VisibleText.scan(run.text) { part in
                wrap.take(part, of: run)
                return true
            }
        }
        return wrap.finished()
    }

    /// The text split at its line breaks.
    package var lines: [StyledText] { wrapped(to: .max) }

    /// Truncates the text to a width, with an ellipsis if text is left out.
    ///
    /// - Parameters:
    ///   - width: The columns.
    ///   - ellipsis: The text in place of the rest, in the style of the last character that is kept; none if it does not fit.
    public func truncated(to width: Int, ellipsis: String = "…") -> StyledText {
        let room = max(0, width)
        guard exceeds(room) else { return self }
        let mark = ellipsis.columns <= room ? ellipsis : ""
        var (kept, left) = (StyledText(), room - mark.columns)
        var last = runs.first?.style ?? .plain
        for run in runs {
            var end = 0
            var fits = true
            VisibleText.scan(run.text) { part in
                fits = part.columns <= left
                guard fits else { return false }
                left -= part.columns
                end = part.source.upperBound
                return true
            }
            kept.append(run.text.utf8Prefix(end), run.style)
            if end > 0 { last = run.style }
            guard fits else { break }
        }
        kept.append(mark, last)
        return kept
    }

    /// Indicates whether the text is wider than a number of columns, without measuring more than that.
    private func exceeds(_ width: Int) -> Bool {
        if runs.count == 1 { return runs[0].text.exceeds(width) }
        var left = width
        for run in runs {
            if run.text.exceeds(left) { return true }
            left -= run.text.columns
        }
        return false
    }
}

extension String {
    /// Indicates whether the text is wider than a number of columns, without measuring more than that.
    func exceeds(_ width: Int) -> Bool {
        if let columns = utf8.withContiguousStorageIfAvailable(Self.columnsOfASCII), let columns { return columns > width }
        var columns = 0
        VisibleText.scan(self) { part in
            columns += part.columns
            return columns <= width
        }
        return columns > width
    }

    /// The columns of printable ASCII, as most text is; nil for other text. The loop has no early exit, so that the compiler can
    /// vectorize it.
    private static func columnsOfASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var others: UInt8 = 0
        for byte in bytes { others |= byte &- 0x20 > 0x5E ? 1 : 0 }
        return others == 0 ? bytes.count : nil
    }

    /// The text of a number of bytes, which end where a character ends.
    func utf8Prefix(_ count: Int) -> Substring { self[..<utf8.index(startIndex, offsetBy: count)] }
    /// The text of some bytes, which begin and end where characters do.
    func utf8Slice(_ range: Range<Int>) -> Substring {
        let start = utf8.index(startIndex, offsetBy: range.lowerBound)
        return self[start..<utf8.index(start, offsetBy: range.count)]
    }
}

/// The state of wrapping: the lines so far, the current one, the blanks behind it, and the incomplete word.
private struct Wrap {
    let width: Int
    var lines: [StyledText] = []
    var line = StyledText()
    var lineColumns = 0
    var blanks = StyledText()
    var blankColumns = 0
    var word = StyledText()
    var wordColumns = 0

    init(width: Int) { self.width = width }

    mutating func take(_ part: VisiblePart, of run: StyledText.Run) {
        let text = run.text.utf8Slice(part.source)
        if text.first?.isNewline == true {
            endWord()
            endBlanks()
            endLine()
        } else if part.scalar == 0x20 {
            endWord()
            let count = text == "\t" ? VisibleText.tabulator - (lineColumns + blankColumns) % VisibleText.tabulator : part.columns
            blanks.append(String(repeating: " ", count: count), run.style)
            blankColumns += count
        } else {
            // Between wide characters a line may be broken, as Chinese and Japanese have no blanks.
            if part.columns == 2 { endWord() }
            if wordColumns + part.columns > width {
                // The word alone is longer than a line.
                if !line.isEmpty { endLine() }
                if !word.isEmpty { lines.append(word) }
                (word, wordColumns, blanks, blankColumns) = (StyledText(), 0, StyledText(), 0)
            }
            word.append(text, run.style)
            wordColumns += part.columns
            if part.columns == 2 { endWord() }
        }
    }

    /// Appends the word to the line, or begins the next line with it.
    private mutating func endWord() {
        guard !word.isEmpty else { return }
        if lineColumns + blankColumns + wordColumns > width {
            if !line.isEmpty { endLine() }
            (blanks, blankColumns) = (StyledText(), 0)
        }
        line.append(blanks)
        line.append(word)
        lineColumns += blankColumns + wordColumns
        (blanks, blankColumns, word, wordColumns) = (StyledText(), 0, StyledText(), 0)
    }

    /// Keeps the blanks before a line break of the text itself, if they fit.
    private mutating func endBlanks() {
        if lineColumns + blankColumns <= width { line.append(blanks) }
        (blanks, blankColumns) = (StyledText(), 0)
    }

    private mutating func endLine() {
        lines.append(line)
        (line, lineColumns) = (StyledText(), 0)
    }

    mutating func finished() -> [StyledText] {
        endWord()
        endBlanks()
        lines.append(line)
        return lines
    }
}

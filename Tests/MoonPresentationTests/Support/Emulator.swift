@testable import MoonPresentation

/// A terminal emulator.
struct Emulator {
    /// The unit by which a terminal counts cells.
    enum Counting {
        /// Grapheme clusters, as in mode 2027.
        case clusters
        /// Code points, as in older terminals: families of emoji fall apart, and U+FE0F has no effect.
        case codePoints
    }

    struct Cell: Equatable {
        var text = " "
        var style = Pen()
        var isContinuation = false
    }

    /// The style, by the numbers of its sequences.
    struct Pen: Equatable {
        var foreground: [Int] = []
        var background: [Int] = []
        var attributes: Set<Int> = []
        var link = ""
    }

    /// A row, with a flag for text that continues in the next one.
    struct Row: Equatable {
        var cells: [Cell]
        var isWrapped = false

        var text: String {
            let text = cells.map { $0.isContinuation ? "" : $0.text }.joined()
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }
    }

    private(set) var size: Size
    let counting: Counting
    var rows: [Row]
    var scrollback: [Row] = []
    var (row, column) = (0, 0)
    var isWrapPending = false
    var pen = Pen()
    var modes: Set<Int> = [7, 25]
    var margins: ClosedRange<Int>
    var title = ""
    var clipboard: [String] = []
    /// Unknown sequences, which fail a test.
    var unknown: [String] = []
    /// The main screen while the alternate one is shown.
    var main: (rows: [Row], row: Int, column: Int)?
    /// The place of the last character, if only characters have followed.
    var last: (row: Int, column: Int)?
    var parser = Parser()

    init(size: Size, counting: Counting = .clusters) {
        self.size = size
        self.counting = counting
        rows = Array(repeating: Row(cells: Array(repeating: Cell(), count: size.columns)), count: size.rows)
        margins = 0...max(0, size.rows - 1)
    }

    /// Takes the output of a program.
    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { for token in parser.take(byte) { perform(token) } }
    }

    /// The text of the screen, row by row.
    var text: [String] { rows.map(\.text) }
    /// All text that was shown and not erased.
    var allText: [String] { scrollback.map(\.text) + text }
    /// All text, with a line break after rows that are not wrapped. A row that a small window has moved out of reach may be
    /// joined with the text below it.
    var joinedText: String { (scrollback + rows).map { $0.text + ($0.isWrapped ? "" : "\n") }.joined() }
    var isCursorVisible: Bool { modes.contains(25) }
    var blank: Row { Row(cells: Array(repeating: Cell(), count: size.columns)) }

    mutating func perform(_ token: Parser.Token) {
        if case .scalar(let scalar) = token { return put(scalar) }
        last = nil
        switch token {
        case .scalar: break
        case .control(let byte): control(byte)
        case .escape(let final): escape(final)
        case .sequence(let prefix, let numbers, let final): sequence(prefix, numbers, final)
        case .command(let text): command(text)
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x08: (column, isWrapPending) = (max(0, column - 1), false)
        case 0x0A: feedLine()
        case 0x0D: (column, isWrapPending) = (0, false)
        default: unknown.append("control \(byte)")
        }
    }

    private mutating func escape(_ final: Unicode.Scalar) {
        if final != "\\" { unknown.append("escape \(final)") }
    }

    mutating func feedLine() {
        isWrapPending = false
        if row == margins.upperBound {
            scroll(1)
        } else if row < size.rows - 1 {
            row += 1
        }
    }

    /// Moves the rows between the margins up, or down if the number is negative.
    mutating func scroll(_ count: Int) {
        for _ in 0..<abs(count) {
            if count > 0 {
                let removed = rows.remove(at: margins.lowerBound)
                if margins.lowerBound == 0, main == nil { scrollback.append(removed) }
                rows.insert(blank, at: margins.upperBound)
            } else {
                rows.remove(at: margins.upperBound)
                rows.insert(blank, at: margins.lowerBound)
            }
        }
    }

    private mutating func command(_ text: String) {
        let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "2" where parts.count >= 2: title = parts.dropFirst().joined(separator: ";")
        case "8" where parts.count == 3: pen.link = parts[2]
        case "52" where parts.count == 3: clipboard.append(parts[2])
        default: unknown.append("OSC \(text)")
        }
    }

    /// Resizes the terminal. With `reflow`, main screens rewrap their lines, as most terminals do.
    mutating func resize(to new: Size, reflow: Bool = false) {
        var (lines, place) = (scrollback + rows, scrollback.count + row)
        var width = column
        if reflow, main == nil, new.columns != size.columns { (lines, place, width) = rewrapped(lines, place, to: new.columns) }
        size = new
        for index in lines.indices {
            var cells = lines[index].cells
            cells.removeLast(max(0, cells.count - new.columns))
            cells.append(contentsOf: repeatElement(Cell(), count: new.columns - cells.count))
            lines[index].cells = cells
        }
        // Blank rows below the cursor go first, then rows of the top.
        while lines.count > max(new.rows, place + 1), lines.count - scrollback.count > new.rows, lines.last?.text == "" {
            lines.removeLast()
        }
        let top = max(0, min(place, lines.count - new.rows))
        scrollback = Array(lines[..<top])
        rows = Array(lines[top...].prefix(new.rows))
        while rows.count < new.rows { rows.append(blank) }
        margins = 0...max(0, new.rows - 1)
        (row, column, isWrapPending) = (min(place - top, new.rows - 1), min(width, new.columns - 1), false)
    }
}

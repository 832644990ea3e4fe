/// Where a terminal's cursor is and how it writes, as far as is known, and the bytes that change it.
///
/// Each method adds the fewest bytes that reach what is asked for.
struct Pen {
    /// What is to be sent.
    var bytes: [UInt8] = []
    /// The cursor's row; nil if it is not known, which happens only with absolute addresses.
    private(set) var row: Int?
    /// The cursor's column; nil if it is not known, as behind the last column or behind a character of doubtful width.
    private(set) var column: Int?
    /// Indicates whether the last character was written just now, and could take the next one for a part of it.
    private var isJoining = false
    /// The style that the terminal writes with, in colors that it has.
    private(set) var style = Cell.blank
    /// The columns of the terminal.
    var width: Int
    /// Indicates whether rows are counted from an unknown row of the terminal, so that they are reached only by relative moves.
    let isRelative: Bool
    var capabilities: TerminalCapabilities
    private var change: [UInt8] = []
    private var renewal: [UInt8] = []

    /// A pen of a terminal whose cursor is anywhere or, if it is relative, in the first cell.
    init(width: Int, isRelative: Bool, capabilities: TerminalCapabilities) {
        self.width = width
        self.isRelative = isRelative
        self.capabilities = capabilities
        if isRelative { (row, column) = (0, 0) }
    }

    /// Takes what is to be sent.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: Position

    /// Says where the cursor is after bytes that were added from outside.
    mutating func isAt(row: Int?, column: Int?) {
        self.row = row
        self.column = column
    }

    /// Moves the cursor, by whatever takes the fewest bytes.
    mutating func move(to target: Int, _ targetColumn: Int) {
        if row == target, column == targetColumn { return }
        let down = row.map { target - $0 }
        let address = isRelative ? Int.max : Self.costOfAddress(target, targetColumn)
        isJoining = false
        guard let down else { return appendAddress(target, targetColumn) }
        let vertical = down == 0 ? 0 : Self.costOfControl(abs(down))
        // By way of the first column: a return, then line feeds or a move, then a move to the right.
        let right = targetColumn == 0 ? 0 : Self.costOfControl(targetColumn)
        let feeds = down > 0 ? min(down, vertical) : vertical
        let byReturn = (column == 0 ? 0 : 1) + feeds + right
        let byColumn = vertical + costInRow(targetColumn)
        if byReturn <= min(byColumn, address) {
            if column != 0 { bytes.append(0x0D) }
            if down > 0, down <= vertical {
                // A return in front keeps this right where line feeds imply returns.
                bytes.append(contentsOf: repeatElement(0x0A, count: down))
            } else {
                appendVertical(down)
            }
            if targetColumn > 0 { bytes.append(control: "C", targetColumn) }
        } else if byColumn <= address {
            appendVertical(down)
            appendInRow(targetColumn)
        } else {
            appendAddress(target, targetColumn)
        }
        (row, column) = (target, targetColumn)
    }

    private static func costOfControl(_ number: Int) -> Int { number == 1 ? 3 : 3 + digits(number) }

    private static func costOfAddress(_ row: Int, _ column: Int) -> Int {
        3 + (row == 0 ? 0 : digits(row + 1)) + (column == 0 ? 0 : 1 + digits(column + 1))
    }

    private mutating func appendAddress(_ row: Int, _ column: Int) {
        bytes.append("\u{1B}[")
        if row > 0 { bytes.append(decimal: row + 1) }
        if column > 0 {
            bytes.append(UInt8(ascii: ";"))
            bytes.append(decimal: column + 1)
        }
        bytes.append(UInt8(ascii: "H"))
        self.row = row
        self.column = column
    }

    private mutating func appendVertical(_ down: Int) {
        if down > 0 { bytes.append(control: "B", down) }
        if down < 0 { bytes.append(control: "A", -down) }
    }

    private func costInRow(_ target: Int) -> Int {
        let absolute = target == 0 ? 1 : Self.costOfControl(target + 1)
        guard let column else { return absolute }
        if target == column { return 0 }
        let relative = Self.costOfControl(abs(target - column))
        return min(absolute, target < column ? min(relative, column - target) : relative)
    }

    private mutating func appendInRow(_ target: Int) {
        let cost = costInRow(target)
        if cost == 0 { return }
        if target == 0, cost == 1 { return bytes.append(0x0D) }
        if let column {
            if target < column, column - target <= cost {
                return bytes.append(contentsOf: repeatElement(0x08, count: column - target))
            }
            if Self.costOfControl(abs(target - column)) <= cost {
                return bytes.append(control: target > column ? "C" : "D", abs(target - column))
            }
        }
        bytes.append(control: "G", target + 1)
    }

    // MARK: Writing

    /// Writes a cell's character where the cursor is, in its style.
    @inline(__always)
    mutating func write(_ cell: Cell, pool: CellPool) {
        if isJoining && (cell.glyph.isCluster || cell.glyph.value >= 0x80) || cell.glyph.isModifier, let column {
            // A move to where the cursor is keeps two characters apart.
            bytes.append(control: "G", column + 1)
        }
        // What looks blank does so in any style whose blanks cannot be seen.
        if !(cell.looksBlank && style.looksBlank) { setStyle(of: cell, pool: pool) }
        if cell.glyph.isCluster {
            // Without wrapping, tmux puts a mark of the last column's character onto the one before.
            let isLast = !cell.glyph.isDoubtful && (column ?? 0) + (cell.glyph.isWide ? 2 : 1) >= width
            if isLast { bytes.append("\u{1B}[?7h") }
            bytes.append(contentsOf: pool.clusters[Int(cell.glyph.value)].utf8)
            if isLast { bytes.append("\u{1B}[?7l") }
        } else {
            bytes.append(scalar: cell.glyph.value)
        }
        let next = (column ?? 0) + (cell.glyph.isWide ? 2 : 1)
        // Terminals differ in where the cursor is after the last column was written.
        let isKnown = column != nil && next < width && (!cell.glyph.isDoubtful || capabilities.graphemeClusters)
        column = isKnown ? next : nil
        isJoining = isKnown && cell.glyph.isJoining
    }

    /// Erases from the cursor to the end of its row.
    mutating func eraseRest() {
        setStyle(of: .blank, pool: CellPool())
        bytes.append("\u{1B}[K")
    }

    /// Erases from the cursor to the end of the screen.
    mutating func eraseBelow() {
        setStyle(of: .blank, pool: CellPool())
        bytes.append("\u{1B}[J")
    }

    /// Erases a number of cells from the cursor on, which stays.
    mutating func erase(_ count: Int) {
        setStyle(of: .blank, pool: CellPool())
        bytes.append(control: "X", count)
    }

    /// Moves the rows of a part of the screen; new ones are blank.
    mutating func scroll(_ scroll: Scroll, of rows: Int) {
        setStyle(of: .blank, pool: CellPool())
        let isWhole = scroll.top == 0 && scroll.bottom == rows - 1
        if !isWhole {
            bytes.append("\u{1B}[")
            if scroll.top > 0 { bytes.append(decimal: scroll.top + 1) }
            bytes.append(UInt8(ascii: ";"))
            bytes.append(decimal: scroll.bottom + 1)
            bytes.append(UInt8(ascii: "r"))
        }
        bytes.append(control: scroll.distance > 0 ? "S" : "T", abs(scroll.distance))
        guard !isWhole else { return }
        bytes.append("\u{1B}[r")
        // Setting margins moves the cursor.
        (row, column) = (nil, nil)
    }

    // MARK: Style

    /// Says that the terminal writes in plain style.
    mutating func isPlain() { style = .blank }

    /// Ends a link, since the numbers of links are those of one frame.
    mutating func endLink() {
        guard style.link != 0 else { return }
        bytes.append("\u{1B}]8;;\u{1B}\\")
        style.link = 0
    }

    /// Makes the terminal write in a cell's style.
    @inline(__always)
    mutating func setStyle(of cell: Cell, pool: CellPool) {
        if style.hasStyle(of: cell) { return }
        changeStyle(to: cell, pool: pool)
    }

    @inline(never)
    private mutating func changeStyle(to cell: Cell, pool: CellPool) {
        var wanted = cell
        wanted.foreground = capabilities.colors.reduced(cell.foreground)
        wanted.background = capabilities.colors.reduced(cell.background)
        if !capabilities.hyperlinks { wanted.link = 0 }
        if wanted.link != style.link {
            endLink()
            if let link = pool.link(wanted.link) { TerminalSequence.append(link: link, to: &bytes) }
            style.link = wanted.link
        }
        if style.hasStyle(of: wanted) { return }
        change.removeAll(keepingCapacity: true)
        renewal.removeAll(keepingCapacity: true)
        Self.append(&change, from: style, to: wanted)
        if wanted.foreground != 0 || wanted.background != 0 || wanted.attributes != 0 { renewal.append("0;") }
        Self.append(&renewal, from: .blank, to: wanted)
        let shorter = renewal.count <= change.count ? renewal : change
        bytes.append("\u{1B}[")
        if !shorter.isEmpty { bytes.append(contentsOf: shorter.dropLast()) }
        bytes.append(UInt8(ascii: "m"))
        wanted.link = style.link
        wanted.glyph = .space
        style = wanted
    }

    /// Adds the numbers that change a style into another, each with a semicolon behind it.
    private static func append(_ bytes: inout [UInt8], from old: Cell, to new: Cell) {
        var (lost, gained) = (old.attributes & ~new.attributes, new.attributes & ~old.attributes)
        // Bold and dim have one number that ends both.
        if lost & 3 != 0 {
            bytes.append("22;")
            gained |= new.attributes & 3
            lost &= ~3
        }
        let numbers: [(bit: UInt16, on: Int, off: Int)] = [
            (1, 1, 22), (2, 2, 22), (4, 3, 23), (8, 4, 24), (16, 7, 27), (32, 9, 29),
        ]
        for attribute in numbers {
            if lost & attribute.bit != 0 { append(&bytes, attribute.off) }
            if gained & attribute.bit != 0 { append(&bytes, attribute.on) }
        }
        if old.foreground != new.foreground { append(&bytes, color: new.foreground, base: 30) }
        if old.background != new.background { append(&bytes, color: new.background, base: 40) }
    }

    private static func append(_ bytes: inout [UInt8], color bits: UInt32, base: Int) {
        let value = Int(bits & 255)
        switch bits >> 24 {
        case 1: append(&bytes, value < 8 ? base + value : base + 52 + value)
        case 2:
            append(&bytes, base + 8)
            bytes.append("5;")
            append(&bytes, value)
        case 3:
            append(&bytes, base + 8)
            bytes.append("2;")
            for shift in [16, 8, 0] { append(&bytes, Int(bits >> UInt32(shift) & 255)) }
        default: append(&bytes, base + 9)
        }
    }

    private static func append(_ bytes: inout [UInt8], _ number: Int) {
        bytes.append(decimal: number)
        bytes.append(UInt8(ascii: ";"))
    }
}

extension Pen {
    /// Writes text of any length where the cursor is. Nothing in it acts.
    mutating func write(_ text: StyledText) {
        var pool = CellPool()
        for run in text.runs {
            var cell = Cell.blank
            cell.foreground = run.style.foreground.bits
            cell.background = run.style.background.bits
            cell.attributes = run.style.attributes.rawValue
            cell.link = run.style.link.map { pool.number(ofLink: $0) } ?? 0
            setStyle(of: cell, pool: pool)
            VisibleText.scan(run.text) { part in
                bytes.append(part, of: run.text)
                return true
            }
        }
        endLink()
    }
}

extension [UInt8] {
    /// Adds a piece of a text as it is shown.
    mutating func append(_ part: VisiblePart, of text: String) {
        if part.scalar == 0x20 {
            append(contentsOf: repeatElement(0x20, count: part.columns))
        } else if part.scalar != 0 {
            append(scalar: part.scalar)
        } else {
            append(contentsOf: VisibleText.shown(text.utf8Slice(part.source), isLone: part.isLone).utf8)
        }
    }
}

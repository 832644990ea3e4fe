/// The cursor and style of a terminal, as far as they are known, and the bytes that change them.
///
/// Each method appends the shortest sequence for its purpose.
struct Pen {
    /// The bytes to send.
    var bytes: [UInt8] = []
    /// The cursor's row; nil if it is unknown, which happens only with absolute addresses.
    private(set) var row: Int?
    /// The cursor's column; nil if it is unknown: after the last column, or after a character of doubtful width.
    private(set) var column: Int?
    /// Indicates whether the character before the cursor could combine with the next one.
    private var isJoining = false
    /// The terminal's current style, in the colors that it has.
    private(set) var style = Cell.blank
    /// The columns of the terminal.
    var width: Int
    /// Indicates whether rows are counted from an unknown row, so that only relative moves are possible.
    let isRelative: Bool
    var capabilities: TerminalCapabilities
    private var change: [UInt8] = []
    private var renewal: [UInt8] = []

    /// Creates a pen. A relative one begins in the first cell, others at an unknown place.
    init(width: Int, isRelative: Bool, capabilities: TerminalCapabilities) {
        self.width = width
        self.isRelative = isRelative
        self.capabilities = capabilities
        if isRelative { (row, column) = (0, 0) }
    }

    /// Returns and removes the bytes to send.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    // MARK: Position

    /// Sets the known place of the cursor, after bytes that the caller has appended.
    mutating func isAt(row: Int?, column: Int?) {
        self.row = row
        self.column = column
    }

    /// Moves the cursor by the shortest sequence.
    mutating func move(to target: Int, _ targetColumn: Int) {
        if row == target, column == targetColumn { return }
        let down = row.map { target - $0 }
        let address = isRelative ? Int.max : Self.costOfAddress(target, targetColumn)
        isJoining = false
        guard let down else { return appendAddress(target, targetColumn) }
        let vertical = down == 0 ? 0 : Self.costOfControl(abs(down))
        // The way by the first column: a return, line feeds or a vertical move, and a move to the right.
        let right = targetColumn == 0 ? 0 : Self.costOfControl(targetColumn)
        let feeds = down > 0 ? min(down, vertical) : vertical
        let byReturn = (column == 0 ? 0 : 1) + feeds + right
        let byColumn = vertical + costInRow(targetColumn)
        if byReturn <= min(byColumn, address) {
            if column != 0 { bytes.append(0x0D) }
            if down > 0, down <= vertical {
                // The return makes this independent of whether line feeds imply returns.
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

    /// Writes a cell's character at the cursor, in its style.
    @inline(__always)
    mutating func write(_ cell: Cell, pool: CellPool) {
        if isJoining && (cell.glyph.isCluster || cell.glyph.value >= 0x80) || cell.glyph.isModifier, let column {
            // A move to the current column separates two characters.
            bytes.append(control: "G", column + 1)
        }
        // A blank looks the same in any style that cannot be seen on blanks.
        if !(cell.looksBlank && style.looksBlank) { setStyle(of: cell, pool: pool) }
        if cell.glyph.isCluster {
            // Without wrapping, tmux puts a mark in the last column onto the character before.
            let isLast = !cell.glyph.isDoubtful && (column ?? 0) + (cell.glyph.isWide ? 2 : 1) >= width
            if isLast { bytes.append("\u{1B}[?7h") }
            bytes.append(contentsOf: pool.clusters[Int(cell.glyph.value)].utf8)
            if isLast { bytes.append("\u{1B}[?7l") }
        } else {
            bytes.append(scalar: cell.glyph.value)
        }
        let next = (column ?? 0) + (cell.glyph.isWide ? 2 : 1)
        // After the last column, terminals differ in the cursor's place.
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

    /// Erases a number of cells from the cursor on, without moving it.
    mutating func erase(_ count: Int) {
        setStyle(of: .blank, pool: CellPool())
        bytes.append(control: "X", count)
    }

    /// Scrolls a part of the screen. New rows are blank.
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

    /// Records that the terminal's style is plain.
    mutating func isPlain() { style = .blank }

    /// Ends a link, because link numbers are only valid within a frame.
    mutating func endLink() {
        guard style.link != 0 else { return }
        bytes.append("\u{1B}]8;;\u{1B}\\")
        style.link = 0
    }

    /// Sets the terminal's style to that of a cell.
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

    /// Appends the numbers that change a style into another, each followed by a semicolon.
    private static func append(_ bytes: inout [UInt8], from old: Cell, to new: Cell) {
        var (lost, gained) = (old.attributes & ~new.attributes, new.attributes & ~old.attributes)
        // One number ends both bold and dim.
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
    /// Writes text of any length at the cursor, with control characters made visible.
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
    /// Appends a piece of a text as it is shown.
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

extension Pen {
    /// The cells of a row.
    typealias Cells = UnsafeBufferPointer<Cell>

    /// Updates a row of the terminal.
    ///
    /// - Parameters:
    ///   - new: The cells to show.
    ///   - old: The cells that the terminal shows.
    ///   - blank: A blank row of the same width.
    mutating func change(row: Int, to new: Cells, from old: Cells, blank: Cells, pool: CellPool) {
        guard var first = new.indices.first(where: { !new[$0].looks(like: old[$0]) }) else { return }
        // A terminal may show characters of doubtful width elsewhere than assumed. A row that has some is rewritten from the
        // first one on whenever it changes.
        if !capabilities.graphemeClusters, let doubtful = Self.firstDoubtful(new, old) {
            first = min(first, doubtful, Self.firstBeforeMark(new, old))
            move(to: row, first)
            eraseRest()
            return write(row: row, new, from: first, to: Self.end(of: new), over: blank, pool: pool)
        }
        let last = new.indices.last { !new[$0].looks(like: old[$0]) } ?? first
        let end = Self.end(of: new)
        // Erasing the rest of the row takes 3 bytes.
        guard last >= end, last - max(end, first) >= 3 else {
            return write(row: row, new, from: first, to: last + 1, over: old, pool: pool)
        }
        write(row: row, new, from: first, to: end, over: old, pool: pool)
        move(to: row, max(end, first))
        eraseRest()
    }

    /// Writes the cells that differ within a part of a row.
    private mutating func write(row: Int, _ new: Cells, from first: Int, to end: Int, over old: Cells, pool: CellPool) {
        var index = first
        while index < end {
            let cell = new[index]
            if cell.glyph.isContinuation {
                index += 1
            } else if cell.looks(like: old[index]) {
                index = skip(row: row, new, from: index, to: end, over: old, pool: pool)
            } else if cell.looksBlank, let blanks = Self.manyBlanks(new, from: index, to: end) {
                move(to: row, index)
                erase(blanks)
                index += blanks
            } else {
                move(to: row, index)
                write(cell, pool: pool)
                index += cell.glyph.isWide ? 2 : 1
                // A terminal may have drawn more cells than were counted. The rest of the row is written anyway.
                if cell.glyph.isDoubtful, !capabilities.graphemeClusters, index < width {
                    // tmux joins the next character, at any place, if it does not know the emoji after a joiner.
                    if cell.glyph.isCluster, pool.clusters[Int(cell.glyph.value)].unicodeScalars.contains("\u{200D}") {
                        bytes.append(UInt8(ascii: " "))
                    }
                    move(to: row, index)
                    eraseRest()
                }
            }
        }
    }

    /// Skips unchanged cells. A few are written again, which takes fewer bytes than a move.
    private mutating func skip(row: Int, _ new: Cells, from first: Int, to end: Int, over old: Cells, pool: CellPool) -> Int {
        var next = first
        while next < end, new[next].looks(like: old[next]) || new[next].glyph.isContinuation { next += 1 }
        guard next < end, next - first <= 4, self.row == row, column == first else { return next }
        for index in first..<next {
            guard new[index].glyph.value < 0x80, !new[index].glyph.isContinuation, style.hasStyle(of: new[index]) else {
                return next
            }
        }
        for index in first..<next { write(new[index], pool: pool) }
        return next
    }

    /// The number of blanks from a cell on, if erasing them takes fewer bytes than writing them.
    private static func manyBlanks(_ cells: Cells, from first: Int, to end: Int) -> Int? {
        var next = first
        while next < end, cells[next].looksBlank { next += 1 }
        return next - first > 12 ? next - first : nil
    }

    /// The column after the last cell that is not blank.
    static func end(of cells: Cells) -> Int { (cells.lastIndex { !$0.looksBlank } ?? -1) + 1 }

    /// The column from which a row is rewritten if its last character is doubtful: tmux puts its mark onto the character before.
    private static func firstBeforeMark(_ new: Cells, _ old: Cells) -> Int {
        let last = new.count - 1
        guard last > 0, new[last].glyph.isDoubtful || old[last].glyph.isDoubtful else { return last }
        var first = last - 1
        while first > 0, new[first].glyph.isContinuation || old[first].glyph.isContinuation { first -= 1 }
        return first
    }

    private static func firstDoubtful(_ new: Cells, _ old: Cells) -> Int? {
        new.indices.first { new[$0].glyph.isDoubtful || old[$0].glyph.isDoubtful }
    }
}

extension [UInt8] {
    /// Appends ASCII text.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(0x30 + number % 10))
    }

    /// Appends a control sequence with a number before its final character. The number 1 is the default and left out.
    mutating func append(control final: Unicode.Scalar, _ number: Int = 1) {
        append("\u{1B}[")
        if number != 1 { append(decimal: number) }
        append(UInt8(ascii: final))
    }

    /// Appends a code point in UTF-8.
    @inline(__always)
    mutating func append(scalar: UInt32) {
        switch scalar {
        case 0..<0x80: append(UInt8(scalar))
        case 0x80..<0x800:
            append(UInt8(0xC0 | scalar >> 6))
            append(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            append(UInt8(0xE0 | scalar >> 12))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        default:
            append(UInt8(0xF0 | scalar >> 18))
            append(UInt8(0x80 | scalar >> 12 & 0x3F))
            append(UInt8(0x80 | scalar >> 6 & 0x3F))
            append(UInt8(0x80 | scalar & 0x3F))
        }
    }
}

/// The number of decimal digits of a number below 10,000.
func digits(_ number: Int) -> Int { number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4 }

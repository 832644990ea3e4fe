/// Shows frames below earlier output, without the alternate screen.
///
/// Committed lines are written above the frame, and scroll into the scrollback like other output. Nothing above the frame is
/// changed. A hidden cursor is in the frame's first cell, so that the frame is found after the terminal has rewrapped its lines.
package struct InlineWriter {
    private var pen: Pen
    private var terminal = Size.zero
    /// The rows of the frame on the terminal, at least one.
    private var rows = 1
    private var shown: [Cell] = []
    private var shownSize = Size.zero
    private var pool = CellPool()
    private var cursor: Point?
    private var isValid = false

    package init(capabilities: TerminalCapabilities) {
        pen = Pen(width: 0, isRelative: true, capabilities: capabilities)
    }

    /// The terminal's capabilities.
    var capabilities: TerminalCapabilities {
        get { pen.capabilities }
        set { pen.capabilities = newValue }
    }

    /// Hides the cursor, and requests grapheme clusters. The cursor must be at the beginning of a row.
    package mutating func enter() -> [UInt8] {
        (rows, shown, shownSize, cursor, isValid) = (1, [], .zero, nil, true)
        pen.isAt(row: 0, column: 0)
        pen.bytes.append("\u{1B}[?7l\u{1B}[?25l\u{1B}[?2027h")
        return pen.takeBytes()
    }

    /// Leaves the last frame where it is, and the cursor below it.
    package mutating func leave() -> [UInt8] {
        if !shownSize.isEmpty {
            pen.move(to: rows - 1, 0)
            pen.bytes.append("\r\n")
        }
        pen.setStyle(of: .blank, pool: pool)
        pen.bytes.append("\u{1B}[?2027l\u{1B}[?7h\u{1B}[?25h")
        return pen.takeBytes()
    }

    /// The bytes that end the modes of ``enter()`` in a signal handler.
    static let emergency: StaticString = "\u{1B}]8;;\u{1B}\\\u{1B}[m\u{1B}[?2027l\u{1B}[?7h\u{1B}[?25h\r\n"

    /// The bytes that write lines above the frame and show a new frame.
    ///
    /// - Parameters:
    ///   - canvas: The frame, clipped to the terminal.
    ///   - lines: The lines to write above it, which the terminal wraps.
    ///   - terminal: The size of the terminal.
    package mutating func bytes(for canvas: Canvas, committing lines: [StyledText] = [], terminal: Size) -> [UInt8] {
        if terminal != self.terminal { resize(to: terminal) }
        let size = Size(columns: min(canvas.size.columns, terminal.columns), rows: min(canvas.size.rows, terminal.rows))
        if !isValid || size.columns != shownSize.columns && !shownSize.isEmpty || !lines.isEmpty { restart() }
        for line in lines { commit(line) }
        setRows(size)
        show(canvas, size)
        pen.endLink()
        place(canvas.cursor, size)
        return pen.takeBytes()
    }

    /// Erases the frame.
    private mutating func restart() {
        isValid = true
        guard !shownSize.isEmpty else { return }
        pen.move(to: 0, 0)
        pen.eraseBelow()
        (rows, shown, shownSize, pool) = (1, [], .zero, CellPool())
    }

    /// Writes a line in place of the frame's first row, and moves the frame below it.
    private mutating func commit(_ text: StyledText) {
        for line in text.lines {
            pen.bytes.append("\u{1B}[?7h")
            pen.write(line)
            pen.setStyle(of: .blank, pool: CellPool())
            pen.bytes.append("\r\n\u{1B}[?7l")
            pen.isAt(row: 0, column: 0)
        }
    }

    /// Adds or erases rows for a frame of another height.
    private mutating func setRows(_ size: Size) {
        pen.width = terminal.columns
        let count = max(1, size.rows)
        if count > rows, size.columns > 0 {
            pen.move(to: rows - 1, 0)
            for _ in rows..<count { pen.bytes.append("\r\n") }
            pen.isAt(row: count - 1, column: 0)
            rows = count
        } else if size.rows < shownSize.rows {
            pen.move(to: size.rows, 0)
            pen.eraseBelow()
            rows = count
        }
        let cells = size.columns * size.rows
        shown.removeLast(max(0, shown.count - cells))
        shown.append(contentsOf: repeatElement(.blank, count: cells - shown.count))
        shownSize = size
    }

    private mutating func show(_ canvas: Canvas, _ size: Size) {
        shown.renumber(from: pool, to: canvas.pool)
        let blank = Array(repeating: Cell.blank, count: size.columns)
        for row in 0..<size.rows {
            let new = canvas.cells[row * canvas.size.columns..<row * canvas.size.columns + size.columns]
            new.withUnsafeBufferPointer { new in
                shown.withUnsafeMutableBufferPointer { shown in
                    let old = UnsafeMutableBufferPointer(rebasing: shown[row * size.columns..<(row + 1) * size.columns])
                    blank.withUnsafeBufferPointer {
                        pen.change(row: row, to: new, from: UnsafeBufferPointer(old), blank: $0, pool: canvas.pool)
                    }
                    _ = old.update(from: new)
                }
            }
        }
        pool = canvas.pool
    }

    private mutating func place(_ wanted: Point?, _ size: Size) {
        let place = wanted?.clamped(to: size) ?? .zero
        if wanted != nil || !pen.bytes.isEmpty { pen.move(to: place.row, place.column) }
        if (wanted == nil) != (cursor == nil) {
            pen.bytes.append(wanted == nil ? TerminalSequence.hideCursor : TerminalSequence.showCursor)
        }
        cursor = wanted
    }

    /// Locates the frame after the terminal was resized, and may have rewrapped its lines.
    private mutating func resize(to terminal: Size) {
        defer { self.terminal = terminal }
        guard !shownSize.isEmpty, let row = pen.row else { return }
        isValid = false
        guard capabilities.reflow, terminal.columns > 0, terminal.columns < self.terminal.columns else { return }
        var above = 0
        for index in 0..<row {
            let end = shown[index * shownSize.columns..<(index + 1) * shownSize.columns].withUnsafeBufferPointer(Pen.end(of:))
            above += max(1, (end + terminal.columns - 1) / terminal.columns)
        }
        above += (pen.column ?? 0) / terminal.columns
        pen.isAt(row: above, column: nil)
    }
}

/// Encodes frames as the bytes that update a terminal's screen from the previous frame.
///
/// The terminal must be in raw mode, between ``enter()`` and ``leave``. Wrapping is off, so that a character of a wrong width
/// affects only its row.
package struct FrameWriter {
    private var pen: Pen
    private var size = Size.zero
    private var shown: [Cell] = []
    private var pool = CellPool()
    private var blank: [Cell] = []
    /// The cell of the visible cursor; nil if it is hidden.
    private var cursor: Point?
    private var isValid = false

    /// The largest frame, in bytes, without the marks of synchronized output. A short frame arrives at once, and the marks take
    /// 16 bytes.
    static let shortFrame = 256

    package init(capabilities: TerminalCapabilities) {
        pen = Pen(width: 0, isRelative: false, capabilities: capabilities)
    }

    /// The terminal's capabilities, which its replies may change.
    var capabilities: TerminalCapabilities {
        get { pen.capabilities }
        set {
            if newValue.colors != pen.capabilities.colors || newValue.hyperlinks != pen.capabilities.hyperlinks { invalidate() }
            pen.capabilities = newValue
        }
    }

    /// Switches to the alternate screen, without cursor and wrapping, and requests grapheme clusters.
    package mutating func enter() -> [UInt8] {
        invalidate()
        var bytes: [UInt8] = []
        bytes.append("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2027h")
        cursor = nil
        return bytes
    }

    /// Ends the modes of ``enter()`` in any state of the terminal.
    package static let leave: StaticString =
        "\u{1B}[?2026l\u{1B}]8;;\u{1B}\\\u{1B}[r\u{1B}[m\u{1B}[?2027l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Marks the screen as unknown: the next frame is written as a whole.
    package mutating func invalidate() { isValid = false }

    /// The bytes that show a frame; none if the terminal shows it already. O(cells).
    package mutating func bytes(for canvas: Canvas) -> [UInt8] {
        let wasVisible = cursor != nil
        let isWhole = !isValid || size != canvas.size
        if isWhole { clear(canvas.size) }
        shown.renumber(from: pool, to: canvas.pool)
        let changed = canvas.cells.withUnsafeBufferPointer { changedRows($0) }
        if changed == nil, !isWhole, canvas.cursor == cursor {
            pool = canvas.pool
            return []
        }
        if let changed { canvas.cells.withUnsafeBufferPointer { show($0, changed, pool: canvas.pool) } }
        pool = canvas.pool
        pen.endLink()
        place(cursorOf: canvas)
        return frame(hides: wasVisible && cursor != nil)
    }

    /// Clears the screen.
    private mutating func clear(_ size: Size) {
        isValid = true
        self.size = size
        pen.width = size.columns
        shown = Array(repeating: .blank, count: size.columns * size.rows)
        blank = Array(repeating: .blank, count: size.columns)
        pool = CellPool()
        pen.bytes.append("\u{1B}[m\u{1B}[H\u{1B}[J")
        pen.isPlain()
        pen.isAt(row: 0, column: 0)
    }

    private mutating func show(_ new: UnsafeBufferPointer<Cell>, _ changed: Range<Int>, pool: CellPool) {
        let width = size.columns
        if pen.capabilities.scrollRegions {
            let scroll = shown.withUnsafeBufferPointer { Scroll.find(in: changed, new: new, old: $0, width: width) }
            if let scroll { perform(scroll) }
        }
        shown.withUnsafeMutableBufferPointer { shown in
            blank.withUnsafeBufferPointer { blank in
                for row in changed {
                    let cells = row * width..<(row + 1) * width
                    let (old, fresh) = (
                        UnsafeMutableBufferPointer(rebasing: shown[cells]), UnsafeBufferPointer(rebasing: new[cells])
                    )
                    guard !fresh.isSameMemory(as: UnsafeBufferPointer(old)) else { continue }
                    pen.change(row: row, to: fresh, from: UnsafeBufferPointer(old), blank: blank, pool: pool)
                    _ = old.update(from: fresh)
                }
            }
        }
    }

    /// The range from the first changed row to the last; nil if there is none.
    private func changedRows(_ new: UnsafeBufferPointer<Cell>) -> Range<Int>? {
        shown.withUnsafeBufferPointer { old in
            func isEqual(_ row: Int) -> Bool {
                let cells = row * size.columns..<(row + 1) * size.columns
                return UnsafeBufferPointer(rebasing: new[cells]).isSameMemory(as: UnsafeBufferPointer(rebasing: old[cells]))
            }
            guard let first = (0..<size.rows).first(where: { !isEqual($0) }) else { return nil }
            let last = (first..<size.rows).last { !isEqual($0) } ?? first
            return first..<(last + 1)
        }
    }

    private mutating func perform(_ scroll: Scroll) {
        let width = size.columns
        pen.scroll(scroll, of: size.rows)
        let count = abs(scroll.distance) * width
        shown.withUnsafeMutableBufferPointer { shown in
            let part = UnsafeMutableBufferPointer(rebasing: shown[scroll.top * width..<(scroll.bottom + 1) * width])
            let (low, high) = (part.count - count, count)
            if scroll.distance > 0 {
                _ = UnsafeMutableBufferPointer(rebasing: part[..<low]).update(fromContentsOf: part[high...])
                part[low...].update(repeating: .blank)
            } else {
                _ = UnsafeMutableBufferPointer(rebasing: part[high...]).update(fromContentsOf: part[..<low])
                part[..<high].update(repeating: .blank)
            }
        }
    }

    private mutating func place(cursorOf canvas: Canvas) {
        let wanted = canvas.cursor.map { $0.clamped(to: size) }
        if let wanted { pen.move(to: wanted.row, wanted.column) }
        if (wanted == nil) != (cursor == nil) {
            pen.bytes.append(wanted == nil ? TerminalSequence.hideCursor : TerminalSequence.showCursor)
        }
        cursor = canvas.cursor
    }

    /// The bytes of the frame. A long frame is put between the marks of synchronized output or, without them, hides the cursor
    /// meanwhile.
    private mutating func frame(hides: Bool) -> [UInt8] {
        let body = pen.takeBytes()
        guard body.count > Self.shortFrame, pen.capabilities.synchronizedOutput || hides else { return body }
        let isHeld = pen.capabilities.synchronizedOutput
        var bytes: [UInt8] = []
        bytes.reserveCapacity(body.count + 16)
        bytes.append(isHeld ? TerminalSequence.beginningOfFrame : TerminalSequence.hideCursor)
        bytes.append(contentsOf: body)
        bytes.append(isHeld ? TerminalSequence.endOfFrame : TerminalSequence.showCursor)
        return bytes
    }
}

extension Point {
    /// The nearest cell of a screen.
    func clamped(to size: Size) -> Point {
        Point(column: max(0, min(column, size.columns - 1)), row: max(0, min(row, size.rows - 1)))
    }
}

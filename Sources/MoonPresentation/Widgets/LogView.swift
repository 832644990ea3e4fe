/// Lines that come one after the other: the state of a ``LogView``.
///
/// ```swift
/// case .received(let line): state.log.append(StyledText(line))
/// ```
public struct LogLines: Hashable, Sendable {
    /// The lines that are kept.
    public private(set) var lines: [StyledText] = []
    /// The number of lines before those, which were dropped.
    public private(set) var dropped = 0
    private let limit: Int

    /// Creates a log.
    ///
    /// - Parameter limit: How many lines are kept at least; up to half as many more may be kept.
    public init(limit: Int = 10_000) { self.limit = max(1, limit) }

    /// Adds a line, or several if the text has line breaks. O(1) on average.
    public mutating func append(_ text: StyledText) {
        lines += text.lines
        // Dropped in one go, so that not each new line moves all others.
        guard lines.count > limit + limit / 2 else { return }
        dropped += lines.count - limit
        lines.removeFirst(lines.count - limit)
    }
}

/// Lines that come one after the other. The last ones are shown, as long as the user does not scroll.
///
/// ```swift
/// LogView(state.log)
/// ```
/// When the user has scrolled up, the lines stand still, whatever comes. End, or scrolling down to the last line, follows again.
public struct LogView<Event: Sendable>: View {
    private let log: LogLines
    private let showsScrollBar: Bool

    /// Creates a view of a log.
    ///
    /// - Parameters:
    ///   - log: The lines.
    ///   - scrollBar: Whether there is a scroll bar if there are more lines than can be seen.
    public init(_ log: LogLines, scrollBar: Bool = false) {
        self.log = log
        showsScrollBar = scrollBar
    }

    /// Draws the lines that can be seen. Those that are too long are cut, with an ellipsis.
    public func draw(on surface: inout Surface<Event>) {
        let height = surface.size.rows
        let last = max(0, log.lines.count - height)
        // The mark is there while the lines stand still; the offset counts all lines that ever were.
        let stands = surface.memory.mark != nil && surface.memory.offset.row - log.dropped < last
        let top = stands ? max(0, surface.memory.offset.row - log.dropped) : last
        let width = max(0, surface.size.columns - (showsScrollBar && last > 0 ? 1 : 0))
        for row in 0..<min(height, log.lines.count - top) {
            surface.write(log.lines[top + row].truncated(to: width), at: Point(column: 0, row: row))
        }
        if showsScrollBar { surface.drawScrollBar(top, of: log.lines.count) }
        let dropped = log.dropped
        surface.onInput { input, memory in
            var next = top
            if case .mouse(let mouse) = input {
                var scrolled = ViewMemory()
                scrolled.offset = Point(column: 0, row: top)
                guard scrolled.scrollRows(by: mouse.action, limit: last) else { return nil }
                next = scrolled.offset.row
            } else if case .key(let key) = input, let move = ListMove(key, page: height) {
                next = move.index(from: top, count: last + 1)
            } else {
                return nil
            }
            memory.mark = next < last ? 1 : nil
            memory.offset = Point(column: 0, row: next + dropped)
            return []
        }
    }
}

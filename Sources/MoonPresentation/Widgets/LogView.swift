/// The state of a ``LogView``: the last lines of a log.
///
/// ```swift
/// case .received(let line): state.log.append(StyledText(line))
/// ```
public struct LogLines: Hashable, Sendable {
    /// The kept lines.
    package private(set) var lines: [StyledText] = []
    /// The number of dropped lines.
    package private(set) var dropped = 0
    private let limit: Int

    /// Creates a log.
    ///
    /// - Parameter limit: The number of lines to keep. Up to half as many more may be kept.
    public init(limit: Int = 10_000) { self.limit = max(1, limit) }

    /// Adds a line, or several if the text has line breaks. O(1) on average.
    public mutating func append(_ text: StyledText) {
        lines += text.lines
        // Dropped in batches, so that a new line does not move all others.
        guard lines.count - limit > limit / 2 else { return }
        dropped += lines.count - limit
        lines.removeFirst(lines.count - limit)
    }
}

/// A log that shows its last lines until the user scrolls.
///
/// ```swift
/// LogView(state.log)
/// ```
/// After the user has scrolled up, the visible lines do not move. End, or scrolling to the last line, follows the log again.
public struct LogView<Event: Sendable>: Widget {
    private let log: LogLines
    private let showsScrollBar: Bool

    /// Creates a view of a log.
    ///
    /// - Parameters:
    ///   - log: The lines.
    ///   - scrollBar: True to show a scroll bar if not all lines are visible.
    public init(_ log: LogLines, scrollBar: Bool = false) {
        self.log = log
        showsScrollBar = scrollBar
    }

    /// Draws the visible lines, truncated with an ellipsis.
    func paint(on surface: inout Surface<Event>) {
        let height = surface.size.rows
        let last = max(0, log.lines.count - height)
        // The mark is set while the view does not follow the log. The offset counts dropped lines, too.
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

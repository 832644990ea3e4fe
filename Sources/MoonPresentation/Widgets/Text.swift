/// A view of text, wrapped between words or truncated.
///
/// ```swift
/// Text("Nothing here yet. Press n for a note.")
/// Text("3 errors", style: Style(foreground: .red) + .bold, alignment: .right)
/// ```
public struct Text<Event: Sendable>: Widget {
    private let text: StyledText
    private let wraps: Bool
    private let alignment: TextAlignment

    /// Creates a view of styled text.
    ///
    /// - Parameters:
    ///   - text: The text. Its line breaks are kept.
    ///   - wraps: True to wrap long lines; false to truncate them with an ellipsis.
    ///   - alignment: The alignment of lines.
    public init(_ text: StyledText, wraps: Bool = true, alignment: TextAlignment = .left) {
        self.text = text
        self.wraps = wraps
        self.alignment = alignment
    }

    /// Creates a view of text in one style. See ``init(_:wraps:alignment:)``.
    public init(_ text: some StringProtocol, style: Style = .plain, wraps: Bool = true, alignment: TextAlignment = .left) {
        self.init(StyledText(text, style), wraps: wraps, alignment: alignment)
    }

    /// The widest line, and the number of lines in the room's width.
    func preferredSize(in room: Size) -> NaturalSize {
        let lines = lines(in: wraps ? room.columns : .max)
        return NaturalSize(columns: lines.reduce(0) { max($0, $1.columns) }, rows: lines.count)
    }

    /// Draws the visible lines.
    func paint(on surface: inout Surface<Event>) {
        let width = surface.size.columns
        let visible = surface.visible
        guard !visible.isEmpty else { return }
        let lines = lines(in: wraps ? width : .max)
        for row in visible.rows.clamped(to: 0..<lines.count) {
            let line = wraps ? lines[row] : lines[row].truncated(to: width)
            surface.write(line, at: Point(column: alignment.start(of: line.columns, in: width), row: row))
        }
    }

    private func lines(in width: Int) -> [StyledText] {
        // Short texts are the most frequent ones.
        if text.isEmpty { return [text] }
        return text.wrapped(to: width)
    }
}

/// The alignment of text in its room.
public enum TextAlignment: Hashable, Sendable {
    /// At the left.
    case left
    /// In the middle. An odd column is left at the right.
    case center
    /// At the right.
    case right

    func start(of columns: Int, in width: Int) -> Int {
        switch self {
        case .left: 0
        case .center: max(0, (width - columns) / 2)
        case .right: max(0, width - columns)
        }
    }
}

/// A progress bar with the percentage.
///
/// ```swift
/// ProgressBar(Double(state.loaded) / Double(state.total))
/// ```
public struct ProgressBar<Event: Sendable>: Widget {
    private let fraction: Double
    private let showsPercent: Bool
    private let style: Style

    /// Creates a bar.
    ///
    /// - Parameters:
    ///   - fraction: The progress from 0 to 1. NaN counts as 0.
    ///   - percent: True to show the percentage.
    ///   - style: The style of the bar.
    public init(_ fraction: Double, percent: Bool = true, style: Style = .plain) {
        self.fraction = fraction.isNaN ? 0 : max(0, min(1, fraction))
        showsPercent = percent
        self.style = style
    }

    /// One row.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(rows: 1) }

    /// Draws the bar in steps of an eighth of a cell. It is full only at 1.
    func paint(on surface: inout Surface<Event>) {
        let label = showsPercent ? " \(Self.padded(Cells.floor(fraction * 100)))%" : ""
        let width = max(0, surface.size.columns - label.columns)
        let eighths = Cells.floor(fraction * Double(width * 8))
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(Blocks.left[eighths % 8]) }
        let end = surface.write(bar, style: style)
        surface.write(String(repeating: "░", count: max(0, width - end)), at: Point(column: end, row: 0), style: .dim)
        surface.write(label, at: Point(column: width, row: 0))
    }

    private static func padded(_ percent: Int) -> String {
        String(repeating: " ", count: 3 - String(percent).count) + String(percent)
    }
}

/// Block characters that fill eighths of a cell.
enum Blocks {
    /// From the left.
    static let left: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    /// From below.
    static let lower: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

/// An animated sign of work in progress.
///
/// ```swift
/// Spinner(step: state.ticks, label: "loading")
/// ```
/// Its state is a number, which the reducer increments, for example by a timer.
public struct Spinner<Event: Sendable>: Widget {
    private let step: Int
    private let label: String
    private let frames: [Character]

    /// Creates a spinner.
    ///
    /// - Parameters:
    ///   - step: The number of the frame, counted up without limit.
    ///   - label: The label of the work.
    ///   - frames: The characters of the animation.
    public init(step: Int, label: String = "", frames: String = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
        self.step = step
        self.label = label
        self.frames = frames.isEmpty ? [" "] : Array(frames)
    }

    /// The character and the label, in one row.
    func preferredSize(in room: Size) -> NaturalSize { NaturalSize(columns: text.columns, rows: 1) }

    /// Draws the character and the label.
    func paint(on surface: inout Surface<Event>) { surface.write(text) }

    private var text: String {
        let remainder = step % frames.count
        let frame = frames[remainder < 0 ? remainder + frames.count : remainder]
        return label.isEmpty ? String(frame) : "\(frame) \(label)"
    }
}

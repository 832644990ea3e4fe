/// A bar that shows which part of something is done, and the percentage.
///
/// ```swift
/// ProgressBar(Double(state.loaded) / Double(state.total))
/// ```
public struct ProgressBar<Event: Sendable>: View {
    private let fraction: Double
    private let showsPercent: Bool
    private let style: Style

    /// Creates a bar.
    ///
    /// - Parameters:
    ///   - fraction: How much is done, from 0 to 1. What is no number counts as 0.
    ///   - percent: Whether the percentage stands behind the bar.
    ///   - style: How the bar looks.
    public init(_ fraction: Double, percent: Bool = true, style: Style = .plain) {
        self.fraction = fraction.isNaN ? 0 : max(0, min(1, fraction))
        showsPercent = percent
        self.style = style
    }

    /// One row.
    public func naturalSize(in room: Size) -> NaturalSize { NaturalSize(rows: 1) }

    /// Draws the bar in steps of an eighth of a cell. It is full only when all is done.
    public func draw(on surface: inout Surface<Event>) {
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

/// Blocks that fill a part of a cell, by eighths.
enum Blocks {
    /// From the left.
    static let left: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    /// From below.
    static let lower: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

/// Numbers as a row of blocks: the last ones that fit, each a column.
///
/// ```swift
/// Sparkline(state.loads, range: 0...1)
/// ```
public struct Sparkline<Event: Sendable>: View {
    private let values: [Double]
    private let range: ClosedRange<Double>?
    private let style: Style

    /// Creates a row of blocks.
    ///
    /// - Parameters:
    ///   - values: The numbers. Those that are not finite leave their column empty.
    ///   - range: The numbers of the lowest and the highest block; nil for 0, or the least one, and the largest one.
    ///   - style: How the blocks look.
    public init(_ values: [Double], range: ClosedRange<Double>? = nil, style: Style = .plain) {
        self.values = values
        self.range = range
        self.style = style
    }

    /// One row.
    public func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: values.count, rows: 1) }

    /// Draws the blocks.
    public func draw(on surface: inout Surface<Event>) {
        let seen = values.suffix(surface.size.columns)
        let scale = Scale(seen, range)
        // The lowest block stands for the least number: an empty column is no number at all.
        let blocks = seen.map { value in scale.eighths(of: value, in: 7).map { Blocks.lower[$0 + 1] } ?? " " }
        surface.write(String(blocks), style: style)
    }
}

/// How numbers become heights.
struct Scale {
    let range: ClosedRange<Double>

    init(_ values: some Collection<Double>, _ range: ClosedRange<Double>?) {
        let finite = values.filter(\.isFinite)
        self.range = range ?? min(0, finite.min() ?? 0)...max(0, finite.max() ?? 0)
    }

    /// The height of a number: 0 for the least, and `steps` for the largest; nil for what is not finite.
    func eighths(of value: Double, in steps: Int) -> Int? {
        guard value.isFinite else { return nil }
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return 0 }
        return max(
            0,
            min(
                steps,
                Int(((max(range.lowerBound, min(range.upperBound, value)) - range.lowerBound) / span * Double(steps)).rounded())))
    }
}

/// Numbers as bars that stand on the lowest row, with a scale at the left.
///
/// ```swift
/// Chart(state.loads, range: 0...100)
/// Chart(state.loads).length(.cells(1))        // a sparkline: a block for each number, and no scale
/// ```
public struct Chart<Event: Sendable>: Widget {
    private let values: [Double]
    private let range: ClosedRange<Double>?
    private let barWidth: Int
    private let spacing: Int
    private let style: Style

    /// Creates a chart. It shows the last numbers that fit.
    ///
    /// - Parameters:
    ///   - values: The numbers. Those that are not finite have no bar.
    ///   - range: The numbers at the bottom and the top; nil for the least one or 0, and the largest one.
    ///   - barWidth: The columns of a bar, at least 1.
    ///   - spacing: The empty columns between two bars.
    ///   - style: The style of the bars.
    public init(
        _ values: [Double], range: ClosedRange<Double>? = nil, barWidth: Int = 1, spacing: Int = 0, style: Style = .plain
    ) {
        self.values = values
        self.range = range
        self.barWidth = Cells.clamped(max(1, barWidth))
        self.spacing = Cells.clamped(max(0, spacing))
        self.style = style
    }

    /// Draws the scale and the bars.
    func paint(on surface: inout Surface<Event>) {
        let rows = surface.size.rows
        guard rows > 0 else { return }
        var (seen, scale) = (values[...], Scale(values, range))
        var (margin, start) = (0, 0)
        // The numbers that are shown may have longer labels than all numbers, for which there must be room.
        while scale.margin > margin {
            margin = scale.margin
            start = rows > 1 && surface.size.columns > 2 * margin ? margin : 0
            seen = values.suffix(max(0, (surface.size.columns - start + spacing) / (barWidth + spacing)))
            scale = Scale(seen, range)
        }
        if start > 0 {
            for (label, row) in zip(scale.labels, [0, rows - 1]) {
                surface.write(label, at: Point(column: margin - 1 - label.columns, row: row), style: .dim)
            }
        }
        // In one row, the lowest block represents the minimum: an empty column would mean that there is no number.
        for (index, value) in seen.enumerated() {
            guard var height = rows == 1 ? scale.steps(of: value, in: 7).map({ $0 + 1 }) : scale.steps(of: value, in: rows * 8)
            else { continue }
            let column = start + index * (barWidth + spacing)
            var row = rows - 1
            while height > 0, row >= 0 {
                let bar = String(repeating: Blocks.lower[min(8, height)], count: barWidth)
                surface.write(bar, at: Point(column: column, row: row), style: style)
                (height, row) = (height - 8, row - 1)
            }
        }
    }
}

/// The scale that turns numbers into heights.
private struct Scale {
    let range: ClosedRange<Double>

    init(_ values: some Collection<Double>, _ range: ClosedRange<Double>?) {
        let finite = values.filter(\.isFinite)
        self.range = range ?? min(0, finite.min() ?? 0)...max(0, finite.max() ?? 0)
    }

    /// The numbers at the top and the bottom.
    var labels: [String] { [Self.label(range.upperBound), Self.label(range.lowerBound)] }

    /// The columns of the labels, and one that separates them from the bars.
    var margin: Int { labels.reduce(0) { max($0, $1.columns) } + 1 }

    /// A number with at most two decimals, and none if it is large or whole.
    private static func label(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        let hundredths = (value * 100).rounded()
        if value.magnitude >= 1_000 || hundredths.truncatingRemainder(dividingBy: 100) == 0 { return "\(Int(value.rounded()))" }
        return "\(hundredths / 100)"
    }

    /// The height of a number: 0 for the least one and `count` for the largest; nil for a number that is not finite.
    func steps(of value: Double, in count: Int) -> Int? {
        guard value.isFinite else { return nil }
        let span = range.upperBound - range.lowerBound
        guard span > 0, span.isFinite else { return 0 }
        let bounded = max(range.lowerBound, min(range.upperBound, value))
        return max(0, min(count, Int(((bounded - range.lowerBound) / span * Double(count)).rounded())))
    }
}

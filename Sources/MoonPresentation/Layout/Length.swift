/// The length of a view in rows, columns or a grid.
///
/// ```swift
/// Columns {
///     names.length(.fraction(0.3))
///     details                             // the rest
///     clock.length(.content)
/// }
/// ```
public struct Length: Sendable {
    enum Kind: Hashable, Sendable {
        case automatic
        case content
        case cells(Int)
        case fraction(Double)
        case share(Double)
    }

    let kind: Kind
    let least: Int
    let most: Int

    init(_ kind: Kind, least: Int = 0, most: Int = .max) {
        self.kind = kind
        self.least = Cells.clamped(max(0, least))
        self.most = max(self.least, Cells.clamped(most))
    }

    /// The natural length if the item has one, and a share of 1 otherwise.
    public static let automatic = Length(.automatic)
    /// The natural length; nothing if the item has none.
    public static let content = Length(.content)
    /// A number of cells.
    public static func cells(_ count: Int) -> Length { Length(.cells(Cells.clamped(max(0, count)))) }
    /// A fraction of the whole length, rounded down.
    public static func fraction(_ fraction: Double) -> Length { Length(.fraction(fraction)) }
    /// A share of the remaining length, by weight.
    public static func share(_ weight: Double = 1) -> Length { Length(.share(weight)) }

    /// The same length within bounds.
    ///
    /// - Parameters:
    ///   - least: The least number of cells.
    ///   - most: The largest number of cells; at least `least`.
    public func bounded(least: Int = 0, most: Int = .max) -> Length { Length(kind, least: least, most: most) }
}

/// The division of a length among items that follow one another.
///
/// Items with a definite length get it in declared order, as long as there is room. The others share the rest by weight.
/// Fractions are rounded down, and the cells that this leaves go to the first items, one each.
package struct Tracks: Hashable, Sendable {
    /// The cells of each item. They are in order within the whole length, and do not overlap.
    package private(set) var ranges: [Range<Int>]

    /// Divides a length.
    ///
    /// - Parameters:
    ///   - total: The length to divide.
    ///   - lengths: The length of each item.
    ///   - spacing: Cells between two items.
    ///   - natural: The natural length of the item at an index; nil if it has none. Called only where it is needed.
    package init(_ total: Int, lengths: [Length], spacing: Int = 0, natural: (Int) -> Int?) {
        let spacing = Cells.clamped(max(0, spacing))
        let gaps = spacing * max(0, lengths.count - 1)
        var rest = max(0, max(0, total) - gaps)
        var sizes = [Int](repeating: 0, count: lengths.count)
        var weights = [Double](repeating: 0, count: lengths.count)
        for (index, length) in lengths.enumerated() {
            var wanted: Int?
            switch length.kind {
            case .automatic:
                wanted = natural(index)
                if wanted == nil { weights[index] = 1 }
            case .content: wanted = natural(index) ?? 0
            case .cells(let count): wanted = count
            case .fraction(let fraction): wanted = Cells.floor(Double(max(0, total)) * fraction)
            case .share(let weight): weights[index] = weight
            }
            if let wanted {
                sizes[index] = min(rest, max(length.least, min(length.most, wanted)))
                rest -= sizes[index]
            }
        }
        Self.share(rest, weights, lengths, into: &sizes)
        ranges = []
        ranges.reserveCapacity(sizes.count)
        var start = 0
        for size in sizes {
            let begin = min(start, max(0, total))
            let end = min(begin + size, max(0, total))
            ranges.append(begin..<end)
            start = end + spacing
        }
    }

    /// Shares the rest by weight. A share outside its bounds is set to the bound, and the others share again.
    private static func share(_ rest: Int, _ weights: [Double], _ lengths: [Length], into sizes: inout [Int]) {
        var (rest, weights) = (rest, weights)
        while true {
            let parts = Cells.divide(rest, by: weights)
            // Shares that are too small come first: their bounds reduce all others.
            let bounded =
                weights.indices.first { weights[$0] > 0 && parts[$0] < lengths[$0].least }
                ?? weights.indices.first { weights[$0] > 0 && parts[$0] > lengths[$0].most }
            guard let index = bounded else {
                for index in weights.indices where weights[index] > 0 { sizes[index] = parts[index] }
                return
            }
            sizes[index] = min(rest, max(lengths[index].least, min(lengths[index].most, parts[index])))
            rest -= sizes[index]
            weights[index] = 0
        }
    }
}

/// The rounding of fractions to cells: down, with the remaining cells for the first items, one each.
enum Cells {
    /// Rounds a product down, with a tolerance for binary fractions: `0.29 * 100`, which is 28.999999999999996, becomes 29.
    ///
    /// - Returns: A number within the range of `Int`; 0 for NaN.
    static func floor(_ value: Double) -> Int {
        guard !value.isNaN else { return 0 }
        return Int(max(-Double(limit), min(Double(limit), (value + 1e-9).rounded(.down))))
    }

    /// Returns the nearest number with which sums and products do not overflow: at most a trillion cells.
    static func clamped(_ cells: Int) -> Int { max(-limit, min(limit, cells)) }

    /// Divides cells by weights. Parts are rounded down, and the remaining cells go to the first parts, one each.
    ///
    /// - Parameters:
    ///   - total: The cells to divide.
    ///   - weights: The weights. Those that are not positive get nothing.
    /// - Returns: A number of cells for each weight, which add up to `total`; zeros if `total` or all weights are not positive.
    static func divide(_ total: Int, by weights: [Double]) -> [Int] {
        let weights = weights.map { $0 > 0 && $0.isFinite ? $0 : 0 }
        let sum = weights.reduce(0, +)
        guard total > 0, sum > 0, sum.isFinite else { return weights.map { _ in 0 } }
        var parts = weights.map { floor(Double(total) * ($0 / sum)) }
        var rest = total - parts.reduce(0, +)
        while rest > 0 {
            for index in parts.indices where weights[index] > 0 && rest > 0 {
                parts[index] += 1
                rest -= 1
            }
        }
        return parts
    }

    /// The largest number of cells: a trillion.
    static let limit = 1_000_000_000_000
}

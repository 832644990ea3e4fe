/// Items that follow each other in one direction: where each begins, and how long it is.
///
/// Items that have a length of their own get it in declared order, as long as there is room. The others share the rest by weight.
/// Fractions are rounded down; cells that are left over because of that are given out from the first item on, one each.
package struct Tracks: Hashable, Sendable {
    /// The cells of each item. They do not overlap, lie within the whole length, and are in order.
    package private(set) var ranges: [Range<Int>]

    /// Divides a length.
    ///
    /// - Parameters:
    ///   - total: The length to divide.
    ///   - lengths: How long each item is to be.
    ///   - spacing: Cells between two items.
    ///   - natural: The natural length of the item with an index; nil if it has none. It is only asked for where it counts.
    package init(_ total: Int, lengths: [Length], spacing: Int = 0, natural: (Int) -> Int?) {
        let gaps = max(0, spacing) * max(0, lengths.count - 1)
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
            start = end + max(0, spacing)
        }
    }

    /// Shares what is left by weight. A share that is outside its bounds is set to the bound, and the others share again.
    private static func share(_ rest: Int, _ weights: [Double], _ lengths: [Length], into sizes: inout [Int]) {
        var (rest, weights) = (rest, weights)
        while true {
            let parts = Cells.divide(rest, by: weights)
            // Too small ones come first: what they take is missing for all others.
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

/// The one rule by which fractions become cells.
///
/// Everything is rounded down. If cells are left over because of that, each item gets one more, from the first item on.
enum Cells {
    /// The largest whole number that is not above a product, whose last digits binary fractions may have made too small:
    /// `0.29 * 100` is 29, though the processor says 28.999999999999996.
    ///
    /// - Returns: A number that an `Int` can hold, and 0 for what is not a number.
    static func floor(_ value: Double) -> Int {
        guard !value.isNaN else { return 0 }
        return Int(max(-limit, min(limit, (value + 1e-9).rounded(.down))))
    }

    /// Divides cells by weights: each part is rounded down, and what is left over is given out from the first part on, a cell each.
    ///
    /// - Parameters:
    ///   - total: The cells to divide.
    ///   - weights: The weights. What is not positive gets nothing.
    /// - Returns: A number of cells for each weight. They add up to `total`, if it is positive and any weight is, and are 0 otherwise.
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

    private static let limit = 1e9
}

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

extension RangeExpression where Bound == Int {
    /// The positions of values that this range covers, the first being 0.
    ///
    /// A range that ends with the last `Int` has no upper bound, so that the standard library traps when it is asked for one. No
    /// stream has a value at that position.
    @inlinable var positions: Range<Int> {
        if let closed = self as? ClosedRange<Int>, closed.upperBound == .max { return closed.lowerBound..<Int.max }
        if let through = self as? PartialRangeThrough<Int>, through.upperBound == .max { return 0..<Int.max }
        return relative(to: 0..<Int.max)
    }
}

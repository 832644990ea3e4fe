extension RangeExpression where Bound == Int {
    /// The positions of values that this range covers, the first being 0.
    ///
    /// A range that ends with the last `Int` has no upper bound, so that the standard library traps on a request for one. No
    /// stream has a value at that position. It traps, too, for a range without a lower bound that ends below 0, which covers
    /// none.
    @inlinable var positions: Range<Int> {
        if let closed = self as? ClosedRange<Int>, closed.upperBound == .max { return closed.lowerBound..<Int.max }
        if let through = self as? PartialRangeThrough<Int> {
            return 0..<(through.upperBound == .max ? .max : Swift.max(0, through.upperBound + 1))
        }
        if let upTo = self as? PartialRangeUpTo<Int> { return 0..<Swift.max(0, upTo.upperBound) }
        return relative(to: 0..<Int.max)
    }
}

extension Publishers {
    /// A publisher that sends the values at a range of positions.
    public typealias Output<Upstream: Publisher> = Stepping<Upstream, Upstream.Output, Never, Upstream.Failure>
}

extension Publishers.Stepping where Output == Upstream.Output, Thrown == Never {
    /// Creates the publisher of `output(in:)`.
    @inlinable init(_ upstream: Upstream, at positions: Range<Int>) {
        self.init(upstream, named: "Output", isStrict: false, isOver: positions.isEmpty) {
            let next = OperatorState(0)
            return { (value: Output) in
                let position = next.value
                next.value += 1
                if position < positions.lowerBound { return .skip }
                if position >= positions.upperBound { return .finish }
                return position == positions.upperBound - 1 ? .last(value) : .send(value)
            }
        }
    }
}

extension Publisher {
    /// Sends the first values, then cancels the upstream and finishes: `(1...).publisher.prefix(3)` sends 1, 2, 3.
    ///
    /// - Parameter maxLength: The greatest number of values to send; zero or more. With zero, the publisher finishes on
    ///   subscription.
    @inlinable @inline(__always) public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        precondition(maxLength >= 0, "prefix(\(maxLength)): the count must be zero or more")
        return .init(self, at: 0..<maxLength)
    }

    /// Sends the value at a position, then finishes. Finishes without a value if the upstream sends too few.
    ///
    /// - Parameter index: The position, counted from 0.
    @inlinable @inline(__always) public func output(at index: Int) -> Publishers.Output<Self> {
        precondition(index >= 0, "output(at: \(index)): positions start at 0")
        // No upstream sends as many values as have a value at the last position.
        return .init(self, at: index..<(index == .max ? index : index + 1))
    }

    /// Sends the values at a range of positions, then finishes.
    ///
    /// - Parameter range: The positions, counted from 0. A range that begins or ends before 0 sends nothing.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        .init(self, at: range.positions)
    }
}

extension RangeExpression where Bound == Int {
    /// The positions of values that this range covers, the first being 0.
    ///
    /// The standard library would trap for a range through `Int.max`, whose upper bound does not exist, and for one that ends
    /// below 0. No stream has a value at position `Int.max`. A range that begins below 0 covers no position, as for `Just` in
    /// Combine.
    @inlinable var positions: Range<Int> {
        if let closed = self as? ClosedRange<Int> {
            if closed.lowerBound < 0 { return 0..<0 }
            return closed.lowerBound..<(closed.upperBound == .max ? .max : closed.upperBound + 1)
        }
        if let through = self as? PartialRangeThrough<Int> {
            return 0..<(through.upperBound == .max ? .max : Swift.max(0, through.upperBound + 1))
        }
        if let upTo = self as? PartialRangeUpTo<Int> { return 0..<Swift.max(0, upTo.upperBound) }
        let range = relative(to: 0..<Int.max)
        return range.lowerBound < 0 ? 0..<0 : range
    }
}

extension Publishers {
    /// A publisher that sends the values at a range of positions.
    public struct Output<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        /// The positions of the values to send; the first value is at position 0.
        @usableFromInline let range: CountableRange<Int>

        /// Creates a publisher that sends the values at a range of positions, which must not be negative.
        @inlinable @inline(__always) init(upstream: Upstream, range: CountableRange<Int>) {
            self.upstream = upstream
            self.range = range
        }

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(OutputSubscriber(subscriber, range: range))
        }
    }
}

extension Publishers.Output: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Sends the first values, then cancels the upstream and finishes: `(1...).publisher.prefix(3)` sends 1, 2, 3.
    ///
    /// - Parameter maxLength: The greatest number of values to send; zero or more. With zero, the publisher finishes on
    ///   subscription.
    @inlinable @inline(__always) public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        precondition(maxLength >= 0, "prefix(\(maxLength)): the count must be zero or more")
        return Publishers.Output(upstream: self, range: 0..<maxLength)
    }

    /// Sends the value at a position, then finishes. Finishes without a value if the upstream sends too few.
    ///
    /// - Parameter index: The position, counted from 0.
    @inlinable @inline(__always) public func output(at index: Int) -> Publishers.Output<Self> {
        precondition(index >= 0, "output(at: \(index)): positions start at 0")
        // No upstream sends as many values as have a value at the last position.
        return Publishers.Output(upstream: self, range: index..<(index == .max ? index : index + 1))
    }

    /// Sends the values at a range of positions, then finishes.
    ///
    /// - Parameter range: The positions, counted from 0. A range that begins or ends before 0 sends nothing.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, range: range.positions)
    }
}

@usableFromInline final class OutputSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: see the base class.
    @exclusivity(unchecked) @usableFromInline var toSkip: Int
    @exclusivity(unchecked) @usableFromInline var toSend: Int

    @inlinable init(_ downstream: Downstream, range: CountableRange<Int>) {
        toSkip = range.lowerBound
        toSend = range.count
        super.init(downstream, named: "Output")
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard toSend == 0 else { return super.receive(subscription: subscription) }
        // No value is wanted: the upstream is cancelled before the downstream can request anything.
        guard inlet.fill(subscription) else { return }
        inlet.cancel()
        outlet.send(subscription: self)
        outlet.finish(.finished)
    }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if toSkip > 0 {
            toSkip -= 1
            return .max(1)
        }
        guard toSend > 0 else { return .none }
        toSend -= 1
        let isLast = toSend == 0
        let demand = outlet.send(input)
        if isLast { finish(.finished) }
        return demand
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

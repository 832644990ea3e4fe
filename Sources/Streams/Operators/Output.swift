extension Publishers {
    /// A publisher of the values at a range of positions.
    public struct Output<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; the positions that are sent; the first value is at 0.
        public let upstream: Upstream, range: CountableRange<Int>

        /// A publisher of the values at a range of positions, which must not be negative.
        @inlinable @inline(__always) public init(upstream: Upstream, range: CountableRange<Int>) {
            precondition(range.lowerBound >= 0, "output(in:) starts at \(range.lowerBound); positions start at 0")
            (self.upstream, self.range) = (upstream, range)
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(OutputSubscriber(subscriber, range: range))
        }
    }
}

extension Publishers.Output: Sendable where Upstream: Sendable {}

extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Sends the first values, then cancels the upstream and finishes: `(1...).publisher.prefix(3)` sends 1, 2, 3.
    /// - Parameter maxLength: How many; with zero it finishes at once. It must not be negative.
    @inlinable @inline(__always) public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        precondition(maxLength >= 0, "prefix(\(maxLength)): a number of values cannot be negative")
        return Publishers.Output(upstream: self, range: 0..<maxLength)
    }

    /// Sends the value at one position, counted from 0, then finishes; finishes without it if there are too few values.
    @inlinable @inline(__always) public func output(at index: Int) -> Publishers.Output<Self> {
        Publishers.Output(upstream: self, range: index..<(index + 1))
    }
    /// Sends the values at a range of positions, counted from 0, then finishes.
    @inlinable @inline(__always)
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
    }
}

@usableFromInline final class OutputSubscriber<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: as the base class says.
    @exclusivity(unchecked) @usableFromInline var toSkip: Int
    @exclusivity(unchecked) @usableFromInline var toSend: Int

    @inlinable init(_ downstream: Downstream, range: CountableRange<Int>) {
        toSkip = range.lowerBound
        toSend = range.count
        super.init(downstream, named: "Output")
    }

    @inlinable override func receive(subscription: any Subscription) {
        guard toSend == 0 else { return super.receive(subscription: subscription) }
        // Nothing is wanted, so that nothing may be asked for.
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

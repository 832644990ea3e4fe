extension Publishers {
    /// A publisher of the number of values.
    public struct Count<Upstream: Publisher>: Operator, Attaching {
        /// How many there were.
        public typealias Output = Int
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher of the number of values.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Int, Failure>) {
            upstream.reduce(into: subscriber, as: "Count", 0) { count, _ in
                count = count.map { $0 + 1 }
                return true
            }
        }
    }
}

extension Publishers.Count: Sendable where Upstream: Sendable {}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Sends the number of values when the upstream finishes.
    @inlinable public func count() -> Publishers.Count<Self> { .init(upstream: self) }
}

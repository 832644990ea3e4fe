extension Publishers {
    /// A publisher that sends the number of its upstream's values.
    public struct Count<Upstream: Publisher>: Operator, Attaching {
        /// The number of values.
        public typealias Output = Int
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends the number of its upstream's values.
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

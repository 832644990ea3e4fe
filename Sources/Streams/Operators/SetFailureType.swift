extension Publishers {
    /// A publisher that cannot fail, as one of those that may.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Operator, Attaching where Upstream.Failure == Never {
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher that cannot fail, as one of those that may.
        @inlinable @inline(__always) public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(trusting: MapErrorSubscriber(subscriber) { (_: Never) -> Failure in }, named: "SetFailureType")
        }

        /// The same, failing in another way.
        @inlinable @inline(__always) public func setFailureType<E: Error>(to failure: E.Type) -> SetFailureType<Upstream, E> {
            .init(upstream: upstream)
        }
    }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
    /// Lets a publisher that cannot fail stand where one is wanted that may.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> { .init(upstream: self) }
}

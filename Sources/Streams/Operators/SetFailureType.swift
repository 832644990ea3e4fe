extension Publishers {
    /// A publisher that cannot fail, with another failure type.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Operator, Attaching where Upstream.Failure == Never {
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that cannot fail, with another failure type.
        @inlinable @inline(__always) public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(trusting: MapErrorSubscriber(subscriber) { (_: Never) -> Failure in }, named: "SetFailureType")
        }

        /// Returns the same publisher with yet another failure type.
        @inlinable @inline(__always) public func setFailureType<E: Error>(to failure: E.Type) -> SetFailureType<Upstream, E> {
            .init(upstream: upstream)
        }
    }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
    /// Changes the failure type of this publisher, which cannot fail, so that it can be combined with publishers that can.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> { .init(upstream: self) }
}

extension Publishers {
    /// A publisher that serves all subscribers from one subscription to its upstream.
    public final class Share<Upstream: Publisher>: Operator, Equatable {
        /// Where the values come from.
        public let upstream: Upstream

        private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Failure>>>

        /// A publisher that serves all subscribers from one subscription.
        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast { PassthroughSubject() }.autoconnect()
        }

        /// Attaches a subscriber.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Failure {
            inner.subscribe(subscriber)
        }

        /// Whether two are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
    }
}

// Sound where the upstream is: `inner` guards itself.
extension Publishers.Share: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Serves all subscribers from one subscription to this publisher: the first starts it, the last to go stops it.
    ///
    /// A subscriber gets the values that are sent from then on; the upstream's earlier ones, or the current value of a
    /// ``CurrentValueSubject``, go to the first subscriber only.
    public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

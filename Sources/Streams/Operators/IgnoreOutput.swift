extension Publishers {
    /// A publisher that sends only its upstream's completion.
    public struct IgnoreOutput<Upstream: Publisher>: Operator, Attaching {
        /// No value is ever sent.
        public typealias Output = Never
        /// The upstream publisher.
        public let upstream: Upstream

        /// Creates a publisher that sends only its upstream's completion.
        @inlinable public init(upstream: Upstream) { self.upstream = upstream }

        @inlinable @inline(__always) __consuming func attach<S: Subscriber>(_ subscriber: __owned S)
        where S.Input == Never, S.Failure == Failure {
            upstream._receive(trusting: IgnoringSubscriber<Upstream.Output, S>(subscriber), named: "IgnoreOutput")
        }
    }
}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
    /// Drops all values and sends only the completion. An unlimited number of values is requested from the upstream.
    @inlinable public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { .init(upstream: self) }
}

@usableFromInline struct IgnoringSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @inlinable @inline(__always) init(_ downstream: Downstream) { self.downstream = downstream }

    @inlinable func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
        subscription.request(.unlimited)
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand { .none }
}

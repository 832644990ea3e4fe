extension Publishers {
    /// A publisher that transforms the error of its upstream.
    public struct MapError<Upstream: Publisher, Failure: Error>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that transforms the upstream's error.
        public let transform: @Sendable (Upstream.Failure) -> Failure
        /// Creates a publisher that transforms the error of its upstream.
        @preconcurrency @inlinable @inline(__always)
        public init(upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            transform = map
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream._receive(trusting: MapErrorSubscriber(subscriber, transform), named: "MapError")
        }
    }
}

extension Publishers.MapError: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Transforms the error that this publisher fails with.
    @preconcurrency @inlinable @inline(__always)
    public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E) -> Publishers.MapError<Self, E> {
        .init(upstream: self, transform)
    }
}

@usableFromInline struct MapErrorSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: (Failure) -> Downstream.Failure

    @inlinable @inline(__always) init(_ downstream: Downstream, _ transform: @escaping (Failure) -> Downstream.Failure) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable @inline(never) func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

    @inlinable @inline(never) func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion.error.map { .failure(transform($0)) } ?? .finished)
    }

    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    @inlinable var _subscriberContext: AnyObject? { downstream._subscriberContext }
    @inlinable var _trampoline: ObjectIdentifier? { downstream._trampoline }
}

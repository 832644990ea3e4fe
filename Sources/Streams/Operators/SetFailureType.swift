extension Publishers {
    /// A publisher that cannot fail, as one of those that may.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Operator where Upstream.Failure == Never {
        /// Where the values come from.
        public let upstream: Upstream

        /// A publisher that cannot fail, as one of those that may.
        @inlinable @inline(__always) public init(upstream: Upstream) { self.upstream = upstream }

        /// Attaches a subscriber.
        @inlinable @inline(__always) public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.receive(trusting: SetFailureTypeSubscriber(downstream: subscriber), named: nil)
        }

        /// The same, failing in another way.
        @inlinable @inline(__always)
        public func setFailureType<E: Error>(to failure: E.Type) -> SetFailureType<Upstream, E> {
            .init(upstream: upstream)
        }
    }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
    /// Lets a publisher that cannot fail stand where one is wanted that may.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        .init(upstream: self)
    }
}

@usableFromInline struct SetFailureTypeSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Failure = Never
    @usableFromInline let downstream: Downstream

    @inlinable @inline(__always) init(downstream: Downstream) { self.downstream = downstream }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }

    @inlinable @inline(__always) var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    @inlinable var subscriberContext: AnyObject? { downstream.subscriberContext }
}

/// A subscriber that handles values and passes everything else on to its downstream.
///
/// The upstream's subscription goes straight through: the downstream requests from the source and cancels it directly, so that
/// the operator costs only its work on each value. It needs no state of its own to be correct: the source releases the whole
/// chain of subscribers when it is cancelled or has completed.
@usableFromInline package protocol PassingSubscriber<Input, Failure>: Subscriber where Failure == Downstream.Failure {
    associatedtype Downstream: Subscriber
    var downstream: Downstream { get }
}

extension PassingSubscriber {
    // Not inlined, here and in MapErrorSubscriber: the compiler (6.3) fails when eight of these are inlined into each other, and
    // with fewer the loop over the values is no longer optimized well.
    /// Passes the subscription on to the downstream.
    @inlinable @inline(never)
    public func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    /// Passes the completion on to the downstream.
    @inlinable @inline(never)
    public func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

    /// The identifier of the subscriber at the end of the chain.
    @inlinable public var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    /// The context that the subscriber at the end of the chain provides.
    @inlinable public var _subscriberContext: (any _SubscriberContext)? { downstream._subscriberContext }
}

/// Transforms each value, and drops those for which the closure returns nil: the subscriber of `map`, `compactMap` and `filter`,
/// and with a closure that keeps a state, of `scan` and `removeDuplicates`.
@usableFromInline struct CompactMapSubscriber<Input, Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let transform: @Sendable (Input) -> Downstream.Input?

    @inlinable @inline(__always)
    init(_ downstream: Downstream, _ transform: @escaping @Sendable (Input) -> Downstream.Input?) {
        self.downstream = downstream
        self.transform = transform
    }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        if let output = transform(input) { downstream.receive(output) } else { .max(1) }
    }
}

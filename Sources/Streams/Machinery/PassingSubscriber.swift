/// A subscriber that does something to values and leaves all else to its downstream. The upstream's subscription goes straight
/// through: the downstream asks and cancels the source itself, and the operator costs nothing but its work on each value. It needs
/// no state of its own to be correct: the source drops the whole chain of subscribers when it is cancelled or has completed.
@usableFromInline package protocol PassingSubscriber<Input, Failure>: Subscriber where Failure == Downstream.Failure {
    associatedtype Downstream: Subscriber
    var downstream: Downstream { get }
}

extension PassingSubscriber {
    // Not inlined, here and in MapErrorSubscriber: inside each other, eight of them are too many for the compiler (6.3), which
    // fails; and the loop over the values is no longer optimised well before that.
    /// Takes the subscription.
    @inlinable @inline(never)
    public func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    /// Takes the completion.
    @inlinable @inline(never)
    public func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

    /// The identifier of the subscriber at the end of the chain.
    @inlinable public var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    /// What the subscriber at the end of the chain lends.
    @inlinable public var _subscriberContext: AnyObject? { downstream._subscriberContext }

    /// The next trampoline below.
    @inlinable public var _trampoline: ObjectIdentifier? { downstream._trampoline }
}

/// A subscriber whose type is hidden. A value costs one call through a closure that was formed where that type was known.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline let box: AnySubscriberBox<Input, Failure>

    /// Hides a subscriber's type.
    @inlinable @inline(__always) public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if let same = subscriber as? AnySubscriber<Input, Failure> { self = same } else { box = AnySubscriberBoxOf(subscriber) }
    }

    /// A subscriber made of closures. Without one that is told of the subscription, nothing is asked for.
    @inlinable public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        box = AnySubscriberBoxOf(
            ClosureSubscriber(
                receiveSubscription: receiveSubscription, receiveValue: receiveValue,
                receiveCompletion: receiveCompletion))
    }

    /// Takes the subscription.
    @inlinable public func receive(subscription: any Subscription) { box.calls.subscription(box, subscription) }

    /// Takes a value; returns how many more are wanted.
    @inlinable @inline(__always) public func receive(_ value: Input) -> Subscribers.Demand { box.calls.value(box, value) }

    /// Takes the completion.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) { box.calls.completion(box, completion) }

    /// What the hidden subscriber lends.
    public var _subscriberContext: AnyObject? { box.calls.lends(box).context }

    /// The trampoline below the hidden subscriber.
    public var _trampoline: ObjectIdentifier? { box.hidden._trampoline }

    /// The identifier of the hidden subscriber.
    @inlinable public var combineIdentifier: CombineIdentifier { box.calls.lends(box).identifier }

    /// As the hidden subscriber describes itself.
    public var description: String { (box.hidden as? any CustomStringConvertible)?.description ?? "\(type(of: box.hidden))" }

    /// As the description.
    public var playgroundDescription: Any { description }

    /// The hidden subscriber's.
    public var customMirror: Mirror { Mirror(reflecting: box.hidden) }
}

// Sound: a publisher calls a subscriber from one thread at a time, and the box has no state of its own.
extension AnySubscriber: @unchecked Sendable where Input: Sendable {}

@usableFromInline class AnySubscriberBox<Input, Failure: Error> {
    /// Formed where the subscriber's type is known, which keeps them specialised.
    @usableFromInline typealias Calls = (
        subscription: (AnySubscriberBox, any Subscription) -> Void, value: (AnySubscriberBox, Input) -> Subscribers.Demand,
        completion: (AnySubscriberBox, Subscribers.Completion<Failure>) -> Void,
        lends: (AnySubscriberBox) -> (context: AnyObject?, identifier: CombineIdentifier)
    )
    @usableFromInline let calls: Calls
    @inlinable init(_ calls: Calls) { self.calls = calls }
    @usableFromInline var hidden: any Subscriber { preconditionFailure("abstract") }
}

@usableFromInline final class AnySubscriberBoxOf<S: Subscriber>: AnySubscriberBox<S.Input, S.Failure> {
    /// Never nil until the end.
    @exclusivity(unchecked) @usableFromInline var holder: BorrowedSubscriber<S>?

    @inlinable init(_ base: S) {
        holder = BorrowedSubscriber(base)
        super.init(
            (
                subscription: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).base.receive(subscription: $1) },
                value: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).receive($1) },
                completion: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).base.receive(completion: $1) },
                lends: {
                    let base = unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).base
                    return (base._subscriberContext, base.combineIdentifier)
                }
            ))
        IterativeRelease.boxWasMade()
    }

    @inlinable deinit { if IterativeRelease.boxWillEnd() { IterativeRelease.end({ holder = nil }, setAside: { base }) } }

    /// A copy of the subscriber.
    @inlinable var base: S {
        switch holder {
        case .some(let holder): holder.downstream
        case .none: preconditionFailure("used after its end")
        }
    }

    @inlinable @inline(__always) func receive(_ value: S.Input) -> Subscribers.Demand {
        switch holder {
        case .some(let holder): holder.receive(value)
        case .none: .none
        }
    }

    @usableFromInline override var hidden: any Subscriber { base }
}

@usableFromInline struct ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable {
    @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
    @usableFromInline let receiveValue: ((Input) -> Subscribers.Demand)?
    @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    @usableFromInline let combineIdentifier = CombineIdentifier()

    @inlinable init(
        receiveSubscription: ((any Subscription) -> Void)?, receiveValue: ((Input) -> Subscribers.Demand)?,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        (self.receiveSubscription, self.receiveValue) = (receiveSubscription, receiveValue)
        self.receiveCompletion = receiveCompletion
    }

    @inlinable func receive(subscription: any Subscription) { receiveSubscription?(subscription) }
    @inlinable func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }
    @inlinable func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }
    @usableFromInline var description: String { "Anonymous AnySubscriber" }
    @usableFromInline var customMirror: Mirror { Mirror(reflecting: description) }
}

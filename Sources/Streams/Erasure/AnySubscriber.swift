/// A subscriber whose type is erased.
///
/// A value costs one call through a closure that was formed where the type was known.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline let box: AnySubscriberBox<Input, Failure>

    /// Erases a subscriber's type.
    ///
    /// - Parameter subscriber: The subscriber that receives everything.
    @inlinable @inline(__always) public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if let same = subscriber as? AnySubscriber<Input, Failure> {
            self = same
        } else {
            box = AnySubscriberBoxOf.make(subscriber)
        }
    }

    /// Creates a subscriber from closures.
    ///
    /// - Parameters:
    ///   - receiveSubscription: Called with the subscription, from which it should request values. If it is nil, no values are
    ///     requested.
    ///   - receiveValue: Called with each value; returns additional demand. If it is nil, values are ignored.
    ///   - receiveCompletion: Called with the completion.
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

    /// Passes the subscription to the erased subscriber.
    ///
    /// - Parameter subscription: The subscription.
    @inlinable public func receive(subscription: any Subscription) { box.calls.subscription(box, subscription) }

    /// Passes a value to the erased subscriber.
    ///
    /// - Parameter value: The value.
    /// - Returns: The additional demand.
    @inlinable @inline(__always) public func receive(_ value: Input) -> Subscribers.Demand { box.calls.value(box, value) }

    /// Passes the completion to the erased subscriber.
    ///
    /// - Parameter completion: The completion.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) { box.calls.completion(box, completion) }

    /// The context that the erased subscriber provides.
    public var _subscriberContext: (any _SubscriberContext)? { box.calls.context(box) }

    /// The identifier of the erased subscriber.
    @inlinable public var combineIdentifier: CombineIdentifier { box.calls.identifier(box) }

    /// The description of the erased subscriber, or the name of its type if it has none.
    public var description: String { (box.hidden as? any CustomStringConvertible)?.description ?? "\(type(of: box.hidden))" }

    /// The same as ``description``.
    public var playgroundDescription: Any { description }

    /// The mirror of the erased subscriber.
    public var customMirror: Mirror { Mirror(reflecting: box.hidden) }
}

// Sound: a publisher calls a subscriber from one thread at a time, and the box has no state of its own.
extension AnySubscriber: @unchecked Sendable where Input: Sendable {}

extension Subscriber {
    /// Returns the object that this subscriber is, or that is erased in it; nil if it is of another type.
    @inlinable func uncovered<Object: AnyObject>(as type: Object.Type) -> Object? {
        self as? Object ?? (self as? AnySubscriber<Input, Failure>)?.box.hidden as? Object
    }
}

/// A box for a subscriber whose type is erased; the base class of ``AnySubscriberBoxOf``.
@usableFromInline class AnySubscriberBox<Input, Failure: Error> {
    /// The closures that call the subscriber. They are formed where its type is known, so that they stay specialized.
    @usableFromInline typealias Calls = (
        subscription: (AnySubscriberBox, any Subscription) -> Void, value: (AnySubscriberBox, Input) -> Subscribers.Demand,
        completion: (AnySubscriberBox, Subscribers.Completion<Failure>) -> Void,
        context: (AnySubscriberBox) -> (any _SubscriberContext)?, identifier: (AnySubscriberBox) -> CombineIdentifier
    )
    @usableFromInline let calls: Calls
    @inlinable init(_ calls: Calls) { self.calls = calls }
    @usableFromInline var hidden: any Subscriber { preconditionFailure("abstract") }
}

/// A box for a subscriber of a known type.
@usableFromInline final class AnySubscriberBoxOf<S: Subscriber>: AnySubscriberBox<S.Input, S.Failure> {
    /// The subscriber. Nil only after `deinit` has begun.
    @exclusivity(unchecked) @usableFromInline var holder: Borrowed<S>?

    @inlinable init(_ base: S) {
        holder = Borrowed(base)
        super.init(
            (
                subscription: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).receive(subscription: $1) },
                value: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).receive($1) },
                completion: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).receive(completion: $1) },
                context: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).context },
                identifier: { unsafeDowncast($0, to: AnySubscriberBoxOf<S>.self).identifier }
            ))
    }

    /// Creates a box. Not inlined, as a function from which an erased publisher is subscribed to must need little stack.
    @inlinable @inline(never) static func make(_ base: S) -> AnySubscriberBox<S.Input, S.Failure> { AnySubscriberBoxOf(base) }

    @inlinable deinit { IterativeRelease.end({ holder = nil }, setAside: { base }) }

    /// A copy of the subscriber.
    @inlinable var base: S {
        guard let base = holder.borrow({ $0.value }) else { preconditionFailure("this subscriber was used after its end") }
        return base
    }

    @inlinable @inline(__always) func receive(_ value: S.Input) -> Subscribers.Demand {
        holder.borrow { $0.value.receive(value) } ?? .none
    }

    // The subscriber is borrowed here, too, and not copied: so a call through many erased subscribers takes little stack.
    @inlinable @inline(__always) func receive(subscription: any Subscription) {
        holder.borrow { $0.value.receive(subscription: subscription) }
    }

    @inlinable @inline(__always) func receive(completion: Subscribers.Completion<S.Failure>) {
        holder.borrow { $0.value.receive(completion: completion) }
    }

    @inlinable var context: (any _SubscriberContext)? { holder.borrow { $0.value._subscriberContext } ?? nil }

    @inlinable var identifier: CombineIdentifier { holder.borrow { $0.value.combineIdentifier } ?? CombineIdentifier(self) }

    override var hidden: any Subscriber { base }
}

/// A subscriber of closures.
@usableFromInline struct ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable {
    @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
    @usableFromInline let receiveValue: ((Input) -> Subscribers.Demand)?
    @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    @usableFromInline let combineIdentifier = CombineIdentifier()

    @inlinable init(
        receiveSubscription: ((any Subscription) -> Void)?, receiveValue: ((Input) -> Subscribers.Demand)?,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        self.receiveSubscription = receiveSubscription
        self.receiveValue = receiveValue
        self.receiveCompletion = receiveCompletion
    }

    @inlinable func receive(subscription: any Subscription) { receiveSubscription?(subscription) }
    @inlinable func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }
    @inlinable func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }
    @usableFromInline var description: String { "Anonymous AnySubscriber" }
    @usableFromInline var customMirror: Mirror { Mirror(reflecting: description) }
}

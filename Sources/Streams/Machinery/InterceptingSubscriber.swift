/// The base class of operators that handle requests and cancellation as well as values. A subclass overrides the methods that it
/// changes. The downstream receives the operator itself as its subscription.
@usableFromInline
class InterceptingSubscriber<Input, Failure: Error, Downstream: Subscriber>: SubscriptionCore, Subscriber,
    @unchecked Sendable
{
    // Sound: the inlet and the outlet are thread-safe; additions of a subclass are only used during a delivery, and an upstream's
    // deliveries do not overlap.
    @usableFromInline let inlet = Inlet()
    @usableFromInline let outlet: Outlet<Downstream>
    @usableFromInline let name: StaticString

    @inlinable init(_ downstream: Downstream, named name: StaticString) {
        outlet = Outlet(downstream)
        self.name = name
    }

    /// Stores the upstream's subscription and sends itself to the downstream instead, unless it is a second one.
    @inlinable func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { outlet.send(subscription: self) }
    }

    /// True once the subscription has arrived, or the operator has ended without one. Before that, an upstream must not send
    /// anything.
    @inlinable final var isSubscribed: Bool { !inlet.isAwaiting }

    /// Traps unless ``isSubscribed``.
    @inlinable @inline(__always) final func requireSubscription() {
        precondition(
            isSubscribed, "\(name) was used before its upstream called receive(subscription:): call that first")
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand { preconditionFailure("\(Self.self) must override receive(_:)") }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        if inlet.finish() { outlet.finish(completion.converted()) }
    }

    /// Ends by itself: cancels the upstream, then completes the downstream.
    @inlinable final func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        inlet.cancel()
        outlet.finish(completion)
    }

    override func request(_ demand: Subscribers.Demand) { inlet.pass(demand) }

    override func cancel() {
        outlet.close()
        inlet.cancel()
    }

    @usableFromInline var _subscriberContext: (any _SubscriberContext)? { outlet.context }
    override var description: String { name.description }
}

/// An intercepting subscriber that sends values of the type that it receives.
@usableFromInline
typealias Intercepting<Downstream: Subscriber> = InterceptingSubscriber<Downstream.Input, Downstream.Failure, Downstream>

/// Enforces the grammar between a foreign publisher and an operator that relies on it: drops events after the completion or after
/// `cancel()`, and cancels a second subscription. If it is strict, it traps on events before the subscription.
@usableFromInline final class GrammarGuard<Downstream: Subscriber>: Intercepting<Downstream>, @unchecked Sendable {
    // Sound: as the base class says; the description is written before the downstream receives the subscription.
    private let isStrict: Bool
    private var ownDescription: String
    private let identifier: CombineIdentifier

    @usableFromInline init(_ downstream: Downstream, named name: StaticString, strict: Bool) {
        (isStrict, ownDescription, identifier) = (strict, name.description, downstream.combineIdentifier)
        super.init(downstream, named: name)
    }

    @usableFromInline override func receive(subscription: any Subscription) {
        if !isStrict, !isSubscribed { ownDescription = String(describing: subscription) }
        super.receive(subscription: subscription)
    }

    /// The identifier of the guarded subscriber, which the publisher must see.
    @usableFromInline override var combineIdentifier: CombineIdentifier { identifier }

    override var isSpent: Bool { outlet.isClosed }

    @usableFromInline override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if isStrict { requireSubscription() }
        return outlet.send(input)
    }

    @usableFromInline override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        if isStrict { requireSubscription() }
        super.receive(completion: completion)
    }

    override func request(_ demand: Subscribers.Demand) {
        if isStrict { requireSubscription() }
        demand.requireSome()
        inlet.request(demand)
    }

    override var description: String { ownDescription }
}

extension Publisher {
    /// Attaches an operator's subscriber behind a guard of the grammar.
    ///
    /// - Parameters:
    ///   - subscriber: The subscriber, which relies on the grammar.
    ///   - name: The guard's description; unless `strict`, only until the publisher's subscription arrives.
    ///   - strict: Whether the guard traps on events before the subscription.
    @inlinable
    public __consuming func _receive<S: Subscriber>(trusting subscriber: __owned S, named name: StaticString, strict: Bool)
    where S.Input == Output, S.Failure == Failure { receive(subscriber: GrammarGuard(subscriber, named: name, strict: strict)) }
}

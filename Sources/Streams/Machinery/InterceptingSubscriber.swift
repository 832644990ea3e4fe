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
        super.init()
    }

    @inlinable func receive(subscription: any Subscription) { _ = start(subscription) }

    /// Stores the upstream's subscription and sends itself to the downstream instead; returns whether it was stored: see
    /// ``Inlet/fill(_:)``.
    @inlinable final func start(_ subscription: any Subscription) -> Bool {
        guard inlet.fill(subscription) else { return false }
        outlet.send(subscription: self)
        return true
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

    @usableFromInline override func request(_ demand: Subscribers.Demand) { inlet.pass(demand) }

    @usableFromInline override func cancel() {
        outlet.close()
        inlet.cancel()
    }

    @usableFromInline var _subscriberContext: AnyObject? { outlet.context }
    @usableFromInline var _trampoline: ObjectIdentifier? { outlet._trampoline }
    @usableFromInline override var description: String { name.description }
}

/// An intercepting subscriber that sends values of the type that it receives.
@usableFromInline
typealias Intercepting<Downstream: Subscriber> = InterceptingSubscriber<Downstream.Input, Downstream.Failure, Downstream>

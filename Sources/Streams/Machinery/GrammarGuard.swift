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

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        if isStrict { requireSubscription() }
        demand.requireSome()
        inlet.request(demand)
    }

    @usableFromInline override var description: String { ownDescription }
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

/// A subscriber that calls a closure when its upstream has completed or is cancelled: once, and before the downstream learns of it.
@usableFromInline
package final class EndSubscriber<Downstream: Subscriber>: SubscriptionCore, Subscriber, @unchecked Sendable {
    // Sound: the inlet guards itself, and nothing else changes. An upstream's deliveries do not overlap.
    @usableFromInline package typealias Input = Downstream.Input
    @usableFromInline package typealias Failure = Downstream.Failure
    @usableFromInline let inlet = Inlet()
    @usableFromInline let downstream: Downstream
    @usableFromInline let whenEnded: () -> Void

    @inlinable
    package init(_ downstream: Downstream, whenEnded: @escaping () -> Void) {
        self.downstream = downstream
        self.whenEnded = whenEnded
        super.init()
    }

    @inlinable
    package func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { downstream.receive(subscription: self) }
    }

    @inlinable
    package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        inlet.isEnded ? .none : downstream.receive(input)
    }

    @inlinable
    package func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        whenEnded()
        downstream.receive(completion: completion)
    }

    @usableFromInline package override func request(_ demand: Subscribers.Demand) { inlet.pass(demand) }
    @usableFromInline package override func cancel() { if inlet.cancel() { whenEnded() } }

    @usableFromInline package var _subscriberContext: AnyObject? { downstream._subscriberContext }
    @usableFromInline package var _trampoline: ObjectIdentifier? { downstream._trampoline }
    @usableFromInline package override var isSpent: Bool { inlet.isEnded }
    @usableFromInline package override var description: String { "End" }
}

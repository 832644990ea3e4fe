/// Closures to call for each event that passes through an operator, before the event is passed on.
@usableFromInline struct Events<Output, Failure: Error> {
    @usableFromInline var subscription: ((any Subscription) -> Void)?
    @usableFromInline var output: ((Output) -> Void)?
    @usableFromInline var completion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called for a cancellation: once, and not after the completion.
    @usableFromInline var cancel: (() -> Void)?
    @usableFromInline var request: ((Subscribers.Demand) -> Void)?
    /// Called for the demand that the downstream returns from a delivery.
    @usableFromInline var returned: ((Subscribers.Demand) -> Void)?

    @inlinable init() {}
}

/// A subscriber that calls ``Events`` for every event, and for requests and cancellation. If its name is empty, it has the
/// description of its upstream's subscription.
@usableFromInline
final class EventsSubscriber<Downstream: Subscriber>: Intercepting<EventsDownstream<Downstream>>, @unchecked Sendable {
    // Sound: as the base class says; the label is written before the downstream receives the subscription.
    @exclusivity(unchecked) @usableFromInline var label: String?

    @inlinable override func receive(subscription: any Subscription) {
        if name.utf8CodeUnitCount == 0, label == nil { label = String(describing: subscription) }
        outlet.borrow { $0.downstream.events.subscription?(subscription) }
        if inlet.fill(subscription) { outlet.borrow { $0.downstream.downstream.receive(subscription: self) } }
    }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand { outlet.send(input) }

    /// Also passes on a request for no values, as Combine does.
    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        outlet.borrow { $0.downstream.events.request?(demand) }
        inlet.pass(demand)
    }

    @usableFromInline override func cancel() {
        outlet.close { $0.downstream.events.cancel?() }
        inlet.cancel()
    }

    override var isSpent: Bool { outlet.isClosed }
    override var description: String { label ?? super.description }
}

/// A subscriber that calls ``Events`` for the events of the upstream. The closures are stored with the downstream, so that all
/// are released in one step.
@usableFromInline struct EventsDownstream<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let events: Events<Downstream.Input, Downstream.Failure>

    @inlinable init(_ downstream: Downstream, _ events: Events<Downstream.Input, Downstream.Failure>) {
        self.downstream = downstream
        self.events = events
    }

    @inlinable func receive(subscription: any Subscription) {
        events.subscription?(subscription)
        downstream.receive(subscription: subscription)
    }

    @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        events.output?(input)
        let demand = downstream.receive(input)
        if demand != .none { events.returned?(demand) }
        return demand
    }

    @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        events.completion?(completion)
        downstream.receive(completion: completion)
    }
}

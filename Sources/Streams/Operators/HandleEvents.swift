extension Publishers {
    /// A publisher that calls closures for the events that pass through.
    public struct HandleEvents<Upstream: Publisher>: Operator {
        @usableFromInline package let upstream: Upstream
        @usableFromInline let name: StaticString
        @usableFromInline let events: Events<Upstream.Output, Upstream.Failure>

        @inlinable @inline(__always) package func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            upstream.subscribe(EventsSubscriber(EventsDownstream(subscriber, events), named: name))
        }
    }

    /// A publisher that stops in the debugger when a closure returns `true`.
    public typealias Breakpoint<Upstream: Publisher> = HandleEvents<Upstream>
}

extension Publishers.HandleEvents: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Calls closures for the events that pass through.
    ///
    /// Each closure runs before its event is passed on, on the thread that sends, requests or cancels. A cancellation after the
    /// completion is not reported.
    ///
    /// - Parameters:
    ///   - receiveSubscription: Called with the subscription.
    ///   - receiveOutput: Called with each value.
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveCancel: Called when the downstream cancels.
    ///   - receiveRequest: Called with each request, including the demand that the downstream returns when it receives a value.
    @preconcurrency public func handleEvents(
        receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil, receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        let events = Events(
            subscription: receiveSubscription, output: receiveOutput, completion: receiveCompletion, cancel: receiveCancel,
            request: receiveRequest, returned: receiveRequest)
        return .init(upstream: self, name: "HandleEvents", events: events)
    }

    /// Raises SIGTRAP when a closure returns `true`. The signal stops the program in a debugger, and terminates it if there is
    /// none.
    ///
    /// Each closure is called before the downstream receives the event.
    ///
    /// - Parameters:
    ///   - receiveSubscription: Returns whether to stop at the subscription.
    ///   - receiveOutput: Returns whether to stop at a value.
    ///   - receiveCompletion: Returns whether to stop at the completion.
    @preconcurrency public func breakpoint(
        receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
        receiveOutput: (@Sendable (Output) -> Bool)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        let events = Events(
            subscription: stopping(if: receiveSubscription), output: stopping(if: receiveOutput),
            completion: stopping(if: receiveCompletion))
        return .init(upstream: self, name: "Breakpoint", events: events)
    }

    /// Raises SIGTRAP when this publisher fails.
    public func breakpointOnError() -> Publishers.Breakpoint<Self> { breakpoint(receiveCompletion: { $0.error != nil }) }
}

/// Returns a closure that raises SIGTRAP if the condition holds for its argument; nil without a condition.
private func stopping<Event>(if condition: (@Sendable (Event) -> Bool)?) -> (@Sendable (Event) -> Void)? {
    guard let condition else { return nil }
    return { if condition($0) { raiseTrap() } }
}

/// Closures to call for each event that passes through an operator, before the event is passed on.
@usableFromInline struct Events<Output, Failure: Error>: Sendable {
    @usableFromInline var subscription: (@Sendable (any Subscription) -> Void)?
    @usableFromInline var output: (@Sendable (Output) -> Void)?
    @usableFromInline var completion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    /// Called for a cancellation: once, and not after the completion.
    var cancel: (@Sendable () -> Void)?
    var request: (@Sendable (Subscribers.Demand) -> Void)?
    /// Called for the demand that the downstream returns from a delivery.
    @usableFromInline var returned: (@Sendable (Subscribers.Demand) -> Void)?
}

/// A subscriber that calls ``Events`` for every event, and for requests and cancellation. If its name is empty, it has the
/// description of its upstream's subscription.
@usableFromInline
final class EventsSubscriber<Downstream: Subscriber>: Intercepting<EventsDownstream<Downstream>>, @unchecked Sendable {
    // Sound: as the base class says; the label is written before the downstream receives the subscription.
    @exclusivity(unchecked) @usableFromInline var label: String?

    @inlinable override func receive(subscription: any Subscription) {
        if name.utf8CodeUnitCount == 0, label == nil { label = String(describing: subscription) }
        outlet.borrow { $0.value.events.subscription?(subscription) }
        if inlet.fill(subscription) { outlet.borrow { $0.value.downstream.receive(subscription: self) } }
    }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand { outlet.send(input) }

    /// Also passes on a request for no values, as Combine does.
    override func request(_ demand: Subscribers.Demand) {
        outlet.borrow { $0.value.events.request?(demand) }
        inlet.pass(demand)
    }

    override func cancel() {
        outlet.close { $0.value.events.cancel?() }
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

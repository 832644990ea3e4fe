extension Publishers {
    /// A publisher that tells closures of what passes through.
    public struct HandleEvents<Upstream: Publisher>: Operator {
        /// Where the values come from.
        public let upstream: Upstream

        /// Told of the subscription, before the downstream is.
        public var receiveSubscription: (@Sendable (any Subscription) -> Void)?

        /// Told of each value, before the downstream is.
        public var receiveOutput: (@Sendable (Upstream.Output) -> Void)?

        /// Told of the completion, before the downstream is.
        public var receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?

        /// Told of cancellation, before the upstream is.
        public var receiveCancel: (@Sendable () -> Void)?

        /// Told of each request, before the upstream is.
        public var receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

        /// A publisher that tells closures of what passes through.
        @preconcurrency @inlinable @inline(__always)
        public init(
            upstream: Upstream,
            receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Void)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
            receiveCancel: (@Sendable () -> Void)? = nil,
            receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
            self.receiveCancel = receiveCancel
            self.receiveRequest = receiveRequest
        }

        /// Attaches a subscriber.
        @inlinable @inline(__always)
        public __consuming func receive<S: Subscriber>(subscriber: __owned S)
        where S.Input == Upstream.Output, S.Failure == Failure {
            upstream.subscribe(HandleEventsSubscriber(HandleEventsDownstream(subscriber, self)))
        }
    }
}

extension Publishers.HandleEvents: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Tells closures of what passes through, and passes it on.
    ///
    /// Each closure runs on the thread that sends, requests or cancels, before the event goes on its way.
    ///
    /// - Parameters:
    ///   - receiveSubscription: Told of the subscription.
    ///   - receiveOutput: Told of each value.
    ///   - receiveCompletion: Told of the completion.
    ///   - receiveCancel: Told of cancellation by the downstream; not called after the completion.
    ///   - receiveRequest: Told of each request.
    @preconcurrency @inlinable @inline(__always)
    public func handleEvents(
        receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil,
        receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}

@usableFromInline
final class HandleEventsSubscriber<Downstream: Subscriber>:
    InterceptingSubscriber<Downstream.Input, Downstream.Failure, HandleEventsDownstream<Downstream>>,
    @unchecked Sendable
{
    // Sound: as the base class says.
    @inlinable
    init(_ downstream: HandleEventsDownstream<Downstream>) { super.init(downstream, named: "HandleEvents") }

    @inlinable
    override func receive(subscription: any Subscription) {
        outlet.borrow { $0.downstream.receiveSubscription?(subscription) }
        super.receive(subscription: subscription)
    }

    @inlinable
    override func receive(_ input: Downstream.Input) -> Subscribers.Demand { outlet.send(input) }

    @usableFromInline
    override func request(_ demand: Subscribers.Demand) {
        outlet.borrow { $0.downstream.receiveRequest?(demand) }
        super.request(demand)
    }

    @usableFromInline
    override func cancel() {
        outlet.close { $0.downstream.receiveCancel?() }
        inlet.cancel()
    }
}

/// The closures live with the downstream, so that all are let go in one step.
@usableFromInline
struct HandleEventsDownstream<Downstream: Subscriber>: PassingSubscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    @usableFromInline let receiveOutput: (@Sendable (Downstream.Input) -> Void)?
    @usableFromInline let receiveCompletion: (@Sendable (Subscribers.Completion<Downstream.Failure>) -> Void)?
    @usableFromInline let receiveCancel: (@Sendable () -> Void)?
    @usableFromInline let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    @inlinable
    init<Upstream: Publisher>(_ downstream: Downstream, _ publisher: Publishers.HandleEvents<Upstream>)
    where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
        self.downstream = downstream
        receiveSubscription = publisher.receiveSubscription
        receiveOutput = publisher.receiveOutput
        receiveCompletion = publisher.receiveCompletion
        receiveCancel = publisher.receiveCancel
        receiveRequest = publisher.receiveRequest
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        receiveOutput?(input)
        let demand = downstream.receive(input)
        if demand != .none { receiveRequest?(demand) }
        return demand
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        receiveCompletion?(completion)
        downstream.receive(completion: completion)
    }
}

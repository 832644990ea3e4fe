extension Publishers {
    /// A publisher that calls closures for the events that pass through.
    public struct HandleEvents<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Called with the subscription, before the downstream receives it.
        public var receiveSubscription: (@Sendable (any Subscription) -> Void)?
        /// Called with each value, before the downstream receives it.
        public var receiveOutput: (@Sendable (Upstream.Output) -> Void)?
        /// Called with the completion, before the downstream receives it.
        public var receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
        /// Called on cancellation, before the upstream is cancelled.
        public var receiveCancel: (@Sendable () -> Void)?
        /// Called with each request, before the upstream receives it.
        public var receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

        /// Creates a publisher that calls closures for the events that pass through.
        @preconcurrency @inlinable @inline(__always) public init(
            upstream: Upstream, receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
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

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            var events = Events<Upstream.Output, Failure>()
            (events.subscription, events.output) = (receiveSubscription, receiveOutput)
            (events.completion, events.cancel) = (receiveCompletion, receiveCancel)
            (events.request, events.returned) = (receiveRequest, receiveRequest)
            upstream.subscribe(EventsSubscriber(EventsDownstream(subscriber, events), named: "HandleEvents"))
        }
    }
}

extension Publishers.HandleEvents: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Calls closures for the events that pass through.
    ///
    /// Each closure runs before its event is passed on, on the thread that sends, requests or cancels. A cancellation after the
    /// completion is not reported.
    /// - Parameters:
    ///   - receiveSubscription: Called with the subscription.
    ///   - receiveOutput: Called with each value.
    ///   - receiveCompletion: Called with the completion.
    ///   - receiveCancel: Called when the downstream cancels.
    ///   - receiveRequest: Called with each request, including the demand that the downstream returns when it receives a value.
    @preconcurrency @inlinable @inline(__always) public func handleEvents(
        receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
        receiveOutput: (@Sendable (Output) -> Void)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (@Sendable () -> Void)? = nil, receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}

extension Publishers {
    /// A publisher that tells closures of what passes through.
    public struct HandleEvents<Upstream: Publisher>: Operator, Attaching {
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
        @preconcurrency @inlinable @inline(__always) public init(
            upstream: Upstream, receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Void)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
            receiveCancel: (@Sendable () -> Void)? = nil,
            receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
        ) {
            (self.upstream, self.receiveSubscription, self.receiveOutput) = (upstream, receiveSubscription, receiveOutput)
            (self.receiveCompletion, self.receiveCancel) = (receiveCompletion, receiveCancel)
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
    /// Tells closures of what passes through, and passes it on.
    ///
    /// Each closure runs on the thread that sends, requests or cancels, before the event goes on its way. A cancellation
    /// after the end is not told of.
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

extension Publishers {
    /// A publisher that stops in the debugger when a closure returns `true`.
    public struct Breakpoint<Upstream: Publisher>: Operator, Attaching {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that returns whether to stop at the subscription.
        public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
        /// The closure that returns whether to stop at a value.
        public let receiveOutput: (@Sendable (Upstream.Output) -> Bool)?
        /// The closure that returns whether to stop at the completion.
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)?

        /// Creates a publisher that stops in the debugger when a closure returns `true`.
        @preconcurrency @inlinable public init(
            upstream: Upstream, receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Bool)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
        }

        @inlinable @inline(__always) func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            var events = Events<Upstream.Output, Failure>()
            events.subscription = stopping(if: receiveSubscription)
            events.output = stopping(if: receiveOutput)
            events.completion = stopping(if: receiveCompletion)
            upstream._receive(trusting: EventsDownstream(subscriber, events), named: "Breakpoint")
        }
    }
}

extension Publishers.Breakpoint: Sendable where Upstream: Sendable {}

extension Publisher {
    /// Raises SIGTRAP when a closure returns `true`. The signal stops the program in a debugger, and terminates it if there is
    /// none.
    ///
    /// Each closure is called before the downstream receives the event.
    /// - Parameters:
    ///   - receiveSubscription: Returns whether to stop at the subscription.
    ///   - receiveOutput: Returns whether to stop at a value.
    ///   - receiveCompletion: Returns whether to stop at the completion.
    @preconcurrency @inlinable public func breakpoint(
        receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
        receiveOutput: (@Sendable (Output) -> Bool)? = nil,
        receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        Publishers.Breakpoint(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion)
    }

    /// Raises SIGTRAP when this publisher fails.
    @inlinable public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { $0.error != nil })
    }
}

/// Returns a closure that raises SIGTRAP if the condition holds for its argument; nil without a condition.
@usableFromInline func stopping<Event>(if condition: ((Event) -> Bool)?) -> ((Event) -> Void)? {
    condition.map { condition in { if condition($0) { raiseTrap() } } }
}

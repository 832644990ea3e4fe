extension Publishers {
    /// A publisher that stops in the debugger when a closure says so.
    public struct Breakpoint<Upstream: Publisher>: Operator, Attaching {
        /// Where the values come from; whether to stop at the subscription.
        public let upstream: Upstream, receiveSubscription: (@Sendable (any Subscription) -> Bool)?
        /// Whether to stop at a value.
        public let receiveOutput: (@Sendable (Upstream.Output) -> Bool)?
        /// Whether to stop at the completion.
        public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)?

        /// A publisher that stops in the debugger when a closure says so.
        @preconcurrency @inlinable public init(
            upstream: Upstream, receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
            receiveOutput: (@Sendable (Upstream.Output) -> Bool)? = nil,
            receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
        ) {
            (self.upstream, self.receiveSubscription) = (upstream, receiveSubscription)
            (self.receiveOutput, self.receiveCompletion) = (receiveOutput, receiveCompletion)
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
    /// Raises SIGTRAP when a closure returns true: that stops the program in the debugger, or ends it if there is none.
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

/// SIGTRAP is 5 wherever there are signals; the standard library knows neither it nor `raise`: see `currentThread()`.
@usableFromInline func stopping<Event>(if condition: ((Event) -> Bool)?) -> ((Event) -> Void)? {
    condition.map { condition in { if condition($0) { _ = raise(5) } } }
}

@_silgen_name("raise")
private func raise(_ signal: Int32) -> Int32

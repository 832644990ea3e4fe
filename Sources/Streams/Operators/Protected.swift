import Synchronization

extension Publishers {
    /// A publisher that subscribes to its upstream only if a ``CircuitBreaker`` admits the subscription.
    public struct Protected<Upstream: Publisher, Context: Scheduler>: Operator, Attaching
    where Context.SchedulerTimeType: Sendable {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The breaker that admits subscriptions, and that is notified of how they end.
        public let breaker: CircuitBreaker<Context>
        /// Creates the error to fail with when the breaker rejects a subscription.
        public let customError: @Sendable (CircuitBreakerError<Context.SchedulerTimeType>) -> Upstream.Failure

        /// Creates a publisher that subscribes to its upstream only if a breaker admits the subscription.
        @inlinable public init(
            upstream: Upstream, breaker: CircuitBreaker<Context>,
            customError: @escaping @Sendable (CircuitBreakerError<Context.SchedulerTimeType>) -> Upstream.Failure
        ) {
            self.upstream = upstream
            self.breaker = breaker
            self.customError = customError
        }

        @inlinable func attach(_ subscriber: some Subscriber<Upstream.Output, Failure>) {
            let protected = ProtectedSubscriber(subscriber, breaker)
            protected.outlet.send(subscription: protected)
            if protected.outlet.isClosed { return }
            switch breaker.admit() {
            case .success(let ticket):
                if protected.keep(ticket) { BoundedNesting.run { [upstream] in protected.begin(upstream) } }
            case .failure(let error):
                BoundedNesting.run { [customError] in protected.finish(.failure(customError(error))) }
            }
        }
    }
}

// Sound if the upstream is Sendable: a breaker may be used from any thread, and the closure is Sendable.
extension Publishers.Protected: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Subscribes to this publisher if a circuit breaker admits it, and notifies the breaker of how the subscription ends. Fails
    /// at once if the breaker rejects it.
    ///
    /// With a `retry` downstream, the breaker decides on each attempt; with a `retry` upstream, only its final failure counts.
    /// Apply ``limited(by:)`` first, that is upstream: a subscription that the breaker rejects then takes no turn of the limiter.
    /// ```swift
    /// server.search(text).limited(by: world.limiter).protected(by: world.breaker) { .unavailable($0) }
    /// ```
    /// - Parameters:
    ///   - breaker: The breaker that this publisher shares with others.
    ///   - customError: Creates the error to fail with when the breaker rejects the subscription. Called on the thread that
    ///     subscribes.
    @inlinable public func protected<S: Scheduler>(
        by breaker: CircuitBreaker<S>,
        customError: @escaping @Sendable (CircuitBreakerError<S.SchedulerTimeType>) -> Failure
    ) -> Publishers.Protected<Self, S> { .init(upstream: self, breaker: breaker, customError: customError) }
}

/// A subscription that a breaker admits or rejects.
@usableFromInline
final class ProtectedSubscriber<Downstream: Subscriber, Context: Scheduler>: Intercepting<Downstream>, @unchecked Sendable
where Context.SchedulerTimeType: Sendable {
    // Sound: see the base class. The properties added here are constant or atomic.
    @usableFromInline let breaker: CircuitBreaker<Context>
    /// The breaker's ticket for this subscription: 0 until it is admitted, -1 once the breaker has been notified or the
    /// downstream has cancelled.
    @usableFromInline let ticket = Atomic<Int>(0)
    @usableFromInline let hasSent = Atomic<Bool>(false)

    @inlinable init(_ downstream: Downstream, _ breaker: CircuitBreaker<Context>) {
        self.breaker = breaker
        super.init(downstream, named: "Protected")
    }

    /// Counts a subscription that is released without a completion as cancelled. Otherwise a breaker would wait forever for a
    /// trial whose upstream has dropped its subscriber.
    deinit { noteCancellation() }

    /// Stores the ticket, or returns it to the breaker if the downstream has cancelled in the meantime. Returns whether it was
    /// stored.
    @usableFromInline func keep(_ ticket: Int) -> Bool {
        if self.ticket.compareExchange(expected: 0, desired: ticket, ordering: .acquiringAndReleasing).exchanged { return true }
        breaker.noteCancellation(ticket, afterValue: false)
        return false
    }

    /// Subscribes to the upstream, unless the downstream has cancelled in the meantime.
    @inlinable func begin(_ upstream: some Publisher<Downstream.Input, Downstream.Failure>) {
        if !outlet.isClosed { upstream.subscribe(self) }
    }

    /// Takes the ticket; nil if there is none or it was taken before. The caller that gets it notifies the breaker, so this
    /// happens once.
    @usableFromInline func takeTicket() -> Int? {
        let ticket = ticket.exchange(-1, ordering: .acquiringAndReleasing)
        return ticket > 0 ? ticket : nil
    }

    @usableFromInline func noteCancellation() {
        if let ticket = takeTicket() { breaker.noteCancellation(ticket, afterValue: hasSent.load(ordering: .relaxed)) }
    }

    @inlinable override func receive(subscription: any Subscription) { inlet.fill(subscription) }

    @inlinable override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        if inlet.isEnded { return .none }
        hasSent.store(true, ordering: .relaxed)
        return outlet.send(input)
    }

    @inlinable override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        guard inlet.finish() else { return }
        if let ticket = takeTicket() { breaker.note(ticket, hasFailed: completion.error != nil) }
        outlet.finish(completion)
    }

    @usableFromInline override func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        inlet.request(demand)
    }

    @usableFromInline override func cancel() {
        super.cancel()
        noteCancellation()
    }

    @usableFromInline override var isSpent: Bool { outlet.isClosed }
}

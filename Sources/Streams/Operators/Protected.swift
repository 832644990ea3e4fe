import Synchronization

extension Publishers {
    /// A publisher that asks a ``CircuitBreaker`` before it subscribes to its upstream.
    public struct Protected<Upstream: Publisher, Context: Scheduler>: Operator, Attaching
    where Context.SchedulerTimeType: Sendable {
        /// Where the values come from.
        public let upstream: Upstream
        /// Who lets subscriptions through, and is told how they end.
        public let breaker: CircuitBreaker<Context>
        /// Makes the error to fail with when the breaker refuses.
        public let customError: @Sendable (CircuitBreakerError<Context.SchedulerTimeType>) -> Upstream.Failure

        /// A publisher that fails at once while a breaker is open.
        @inlinable public init(
            upstream: Upstream, breaker: CircuitBreaker<Context>,
            customError: @escaping @Sendable (CircuitBreakerError<Context.SchedulerTimeType>) -> Upstream.Failure
        ) { (self.upstream, self.breaker, self.customError) = (upstream, breaker, customError) }

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

// Sound where the upstream is: a breaker may be used from any thread, and the closure is Sendable.
extension Publishers.Protected: @unchecked Sendable where Upstream: Sendable {}

extension Publisher {
    /// Subscribes to this publisher if a circuit breaker lets it, and tells the breaker how that ends; else fails at once.
    ///
    /// Above a `retry`, each of its attempts is asked for; below it, the last failure of all counts. A ``limited(by:)`` belongs above
    /// it: what is refused then takes no turn.
    /// ```swift
    /// server.search(text).limited(by: world.limiter).protected(by: world.breaker) { .unavailable($0) }
    /// ```
    /// - Parameters:
    ///   - breaker: The breaker that this publisher shares with others.
    ///   - customError: Makes the error to fail with when the breaker refuses; run on the thread that subscribes.
    @inlinable public func protected<S: Scheduler>(
        by breaker: CircuitBreaker<S>,
        customError: @escaping @Sendable (CircuitBreakerError<S.SchedulerTimeType>) -> Failure
    ) -> Publishers.Protected<Self, S> { .init(upstream: self, breaker: breaker, customError: customError) }
}

/// One subscription that a breaker has let through, or not.
@usableFromInline
final class ProtectedSubscriber<Downstream: Subscriber, Context: Scheduler>: Intercepting<Downstream>, @unchecked Sendable
where Context.SchedulerTimeType: Sendable {
    // Sound: as the base class says; what is added is constant or atomic.
    @usableFromInline let breaker: CircuitBreaker<Context>
    /// What is to be shown to the breaker at the end; 0 before there is anything, -1 when that is done.
    @usableFromInline let ticket = Atomic<Int>(0)
    @usableFromInline let hasSent = Atomic<Bool>(false)

    @inlinable init(_ downstream: Downstream, _ breaker: CircuitBreaker<Context>) {
        self.breaker = breaker
        super.init(downstream, named: "Protected")
    }

    /// A trial whose upstream has forgotten it counts as cancelled: the breaker would wait for it for ever.
    deinit { noteCancellation() }

    /// Keeps the ticket, or gives it back if the downstream has cancelled meanwhile; returns whether it is kept.
    @usableFromInline func keep(_ ticket: Int) -> Bool {
        if self.ticket.compareExchange(expected: 0, desired: ticket, ordering: .acquiringAndReleasing).exchanged { return true }
        breaker.noteCancellation(ticket, afterValue: false)
        return false
    }

    /// Not if the downstream has cancelled before it came to this.
    @inlinable func begin(_ upstream: some Publisher<Downstream.Input, Downstream.Failure>) {
        if !outlet.isClosed { upstream.subscribe(self) }
    }

    /// Whoever takes the ticket tells the breaker.
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

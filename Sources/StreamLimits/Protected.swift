import Streams

extension Publishers {
    /// A publisher that subscribes to its upstream only if a ``CircuitBreaker`` admits the subscription.
    public struct Protected<Upstream: Publisher, Context: Scheduler>: Publisher
    where Context.SchedulerTimeType: Sendable {
        /// The type of the values sent.
        public typealias Output = Upstream.Output
        /// The type of the error that the publisher may fail with.
        public typealias Failure = Upstream.Failure
        let upstream: Upstream
        /// The breaker that admits subscriptions, and that is notified of how they end.
        let breaker: CircuitBreaker<Context>
        /// Creates the error to fail with when the breaker rejects a subscription.
        let customError: @Sendable (CircuitBreakerError<Context.SchedulerTimeType>) -> Upstream.Failure

        /// Attaches a subscriber, which receives its subscription before the breaker decides.
        public func receive(subscriber: some Subscriber<Upstream.Output, Upstream.Failure>) {
            let call = ProtectedCall { [breaker] in breaker.note($0, $1) }
            let admission = Permission<Upstream.Output, Upstream.Failure> { [breaker, customError] subscription in
                switch breaker.admit() {
                case .success(let ticket):
                    call.begin(ticket)
                    subscription.begin()
                case .failure(let error): subscription.complete(with: .failure(customError(error)))
                }
            }
            upstream.handleEvents(
                receiveSubscription: { call.keep($0) },
                receiveOutput: { _ in call.noteValue() },
                receiveCompletion: { call.end($0.error == nil ? .succeeded : .failed) },
                receiveCancel: { call.cancel() }
            ).prepend(admission).receive(subscriber: subscriber)
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
    public func protected<S: Scheduler>(
        by breaker: CircuitBreaker<S>,
        customError: @escaping @Sendable (CircuitBreakerError<S.SchedulerTimeType>) -> Failure
    ) -> Publishers.Protected<Self, S> { .init(upstream: self, breaker: breaker, customError: customError) }
}

/// A subscription that a breaker may admit: notifies the breaker once of how it ends.
///
/// One that is released without an end counts as cancelled: its subscriber has cancelled before the upstream was subscribed to.
private final class ProtectedCall: @unchecked Sendable {
    // Sound: a breaker may be notified from any thread, and the lock protects the rest.
    private let notify: (_ ticket: Int, CallEnd) -> Void
    private let state = Lock(State())

    private struct State: @unchecked Sendable {
        // Sound: accessed only with the lock held, and a subscription may be cancelled from any thread.
        /// The breaker's ticket; nil before the admission, and once the breaker has been notified.
        var ticket: Int?
        var hasSent = false
        /// The subscription to the upstream, which this call does not keep alive.
        weak var upstream: AnyObject?
    }

    init(_ notify: @escaping (_ ticket: Int, CallEnd) -> Void) { self.notify = notify }

    deinit { end(.cancelled) }

    func begin(_ ticket: Int) { state.withLock { $0.ticket = ticket } }

    func keep(_ subscription: any Subscription) {
        let upstream = UncheckedTransfer(subscription as AnyObject)
        state.withLock { $0.upstream = upstream.value }
    }

    func noteValue() { state.withLock { $0.hasSent = true } }

    /// Cancels the upstream, and only then notifies the breaker, which may let another trial through at once.
    func cancel() {
        let upstream = state.withLock { UncheckedTransfer($0.upstream) }.value
        (upstream as? any Subscription)?.cancel()
        end(.cancelled)
    }

    func end(_ end: CallEnd) {
        let last = state.withLock { state in
            defer { state.ticket = nil }
            return state
        }
        guard let ticket = last.ticket else { return }
        // As by `first()`: the call has answered.
        notify(ticket, end == .cancelled && last.hasSent ? .succeeded : end)
    }
}

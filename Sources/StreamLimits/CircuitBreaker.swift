import Streams

/// A circuit breaker, which protects a failing service: after a number of consecutive failures, or above a rate of failures, it
/// rejects subscriptions for a while.
///
/// Use one object per service, and share it among all users of the service, for example in the environment:
/// ```swift
/// let breaker = CircuitBreaker(failures: 5, resetAfter: .seconds(30), on: DispatchQueue.global())
/// let answer = request.protected(by: breaker) { .unavailable($0) }
/// ```
/// The breaker is *closed* at first, and lets all subscriptions through. When its ``threshold`` is reached, it *opens*: new
/// subscriptions fail at once. When ``resetAfter`` has passed, the next subscription is let through as a trial. While the trial
/// is under way, the breaker is *half open*, and other subscriptions fail at once. If the trial succeeds, the breaker closes; if
/// it fails, the breaker opens again.
///
/// If many subscriptions are in flight at once, a few successes among many failures keep a breaker closed that counts consecutive
/// failures. Give such a breaker a rate instead: the share of failures among the calls of a sliding window, once there are enough
/// of them.
/// ```swift
/// let breaker = CircuitBreaker(
///     failureRate: 0.5, minimumCalls: 20, window: .seconds(10), resetAfter: .seconds(30), on: DispatchQueue.global())
/// ```
///
/// A subscription fails if it completes with a failure. It succeeds if it finishes, or if it is cancelled after a value, as by
/// `first()`. A cancellation before the first value counts as neither; if it ends a trial, the next subscription becomes the
/// trial. An outcome does not count if the breaker has changed its state since it let the subscription through. A trial that
/// never ends keeps the breaker half open: use `timeout(_:scheduler:options:customError:)` upstream of the
/// operator to turn it into a failure.
///
/// If ``resetAfter`` is zero or less, the next subscription is the trial. If it is too long to be represented, the breaker never
/// leaves the open state (see `Scheduler`).
///
/// A breaker may be used from any thread. It has no timer: it reads the scheduler's time when a subscription arrives or completes.
public final class CircuitBreaker<Context: Scheduler>: @unchecked Sendable where Context.SchedulerTimeType: Sendable {
    // Sound: a scheduler may be used from any thread; the lock or the subject protects the rest.

    /// The failures that open a closed breaker.
    public enum Threshold {
        /// A number of consecutive failures.
        case consecutiveFailures(Int)
        /// A share of failures, above 0 and up to 1, among the calls that have ended within a window of time, once there are at
        /// least `minimumCalls`.
        case failureRate(Double, minimumCalls: Int, window: Context.SchedulerTimeType.Stride)
    }

    /// The failures that open the breaker.
    public let threshold: Threshold
    /// The time for which the breaker stays open before a trial.
    public let resetAfter: Context.SchedulerTimeType.Stride
    /// The scheduler whose time is used.
    public let scheduler: Context
    private let guarded: Lock<Guarded>
    private let published = CurrentValueSubject<CircuitState, Never>(.closed)

    private struct Guarded: @unchecked Sendable {
        // Sound: accessed only with the lock held.
        var circuit: Circuit<Context.SchedulerTimeType>
        /// The states to publish.
        var pending = Queue<CircuitState>()
        /// True while a thread is publishing states.
        var isPublishing = false

        /// Returns the next state to publish. If there is none, the caller stops publishing.
        mutating func nextState() -> CircuitState? {
            let next = pending.popFirst()
            isPublishing = next != nil
            return next
        }
    }

    /// Creates a closed breaker.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures that opens the breaker; at least one.
    ///   - span: The time for which the breaker stays open before a trial.
    ///   - scheduler: The scheduler whose time is used.
    public init(failures: Int, resetAfter span: Context.SchedulerTimeType.Stride, on scheduler: Context) {
        precondition(failures >= 1, "CircuitBreaker(failures: \(failures)): the breaker could never be closed; pass one or more")
        threshold = .consecutiveFailures(failures)
        self.resetAfter = span
        self.scheduler = scheduler
        guarded = Lock(Guarded(circuit: Circuit(limit: .inARow(failures))))
    }

    /// Creates a closed breaker that opens above a rate of failures.
    ///
    /// It opens with a failure, never with a success. The window slides in steps: a call expires between seven eighths of the
    /// window and the whole window after its end. When the breaker has closed again, it counts from zero.
    ///
    /// - Parameters:
    ///   - rate: The share of failures that opens the breaker: above 0, and 1 at most.
    ///   - calls: The number of calls in the window below which the breaker stays closed, whatever their rate; at least one.
    ///   - window: The time for which a call counts after its end. With zero or less, only one call counts at a time; if it
    ///     is too long to be represented, no call expires.
    ///   - span: The time for which the breaker stays open before a trial.
    ///   - scheduler: The scheduler whose time is used.
    public init(
        failureRate rate: Double, minimumCalls calls: Int, window: Context.SchedulerTimeType.Stride,
        resetAfter span: Context.SchedulerTimeType.Stride, on scheduler: Context
    ) {
        precondition(
            rate > 0 && rate <= 1, "CircuitBreaker(failureRate: \(rate)): the rate is a share; pass more than 0, and 1 at most")
        precondition(
            calls >= 1, "CircuitBreaker(minimumCalls: \(calls)): there is no rate of no calls; pass one or more")
        threshold = .failureRate(rate, minimumCalls: calls, window: window)
        self.resetAfter = span
        self.scheduler = scheduler
        guarded = Lock(Guarded(circuit: Circuit(limit: .rate(rate, calls: calls))))
    }

    /// The current state. An open breaker whose time is over stays open until the next subscription arrives.
    public var state: CircuitState { guarded.withLock { $0.circuit.state } }

    /// A publisher of the current state and then of each change, in order.
    ///
    /// A change is published before the subscription that caused it receives its completion, unless another thread is publishing
    /// states at that time.
    public var states: AnyPublisher<CircuitState, Never> { published.eraseToAnyPublisher() }

    /// Decides whether to admit a subscription.
    ///
    /// - Returns: The ticket to pass when the subscription ends, or the reason why it is rejected.
    func admit() -> Result<Int, CircuitBreakerError<Context.SchedulerTimeType>> {
        while true {
            let (number, end) = guarded.withLock { ($0.circuit.number, $0.circuit.end) }
            // Outside the lock: points in time may be of a user's type.
            let isOver = end.map { $0 <= scheduler.now } ?? false
            let admission = change { $0.number == number ? $0.admit(isOver: isOver) : nil }
            switch admission {
            case .passes(let ticket): return .success(ticket)
            case .isRefused(until: let end?): return .failure(.open(until: end))
            case .isRefused(until: nil): return .failure(.halfOpen)
            case nil: continue
            }
        }
    }

    /// Records how a subscription has ended.
    func note(_ ticket: Int, _ end: CallEnd) {
        if end == .cancelled {
            discard(change { $0.note(.neither, ticket: ticket) })
            return
        }
        let now = scheduler.now
        let outcome = end == .failed ? failure(at: now) : .success
        guard case .failureRate(_, _, let window) = threshold else {
            discard(change { $0.note(outcome, ticket: ticket) })
            return
        }
        var isNoted = false
        // Points in time are compared outside the lock, because they may be of a user's type. So another thread may begin a slice
        // of the window meanwhile; then the turn is computed again.
        while !isNoted {
            let calls = guarded.withLock { $0.circuit.window }
            let turn = calls.turn(at: now, window: window)
            isNoted = change { $0.note(outcome, ticket: ticket, turn: turn) }
        }
    }

    private func failure(at now: Context.SchedulerTimeType) -> Circuit<Context.SchedulerTimeType>.Outcome {
        .failure(until: now.advanced(by: resetAfter))
    }

    /// Changes the circuit, and publishes its state if the state has changed.
    private func change<Answer>(_ change: (inout Circuit<Context.SchedulerTimeType>) -> Answer) -> Answer {
        let (answer, hasChanged, old) = guarded.withLock { guarded in
            let old = guarded.circuit
            let answer = change(&guarded.circuit)
            let hasChanged = guarded.circuit.state != old.state
            if hasChanged { guarded.pending.append(guarded.circuit.state) }
            // Released outside the lock.
            return UncheckedTransfer((answer, hasChanged, old))
        }.value
        discard(old)
        if hasChanged { publish() }
        return answer
    }

    /// Publishes the pending states in order, one thread at a time. If a thread, or a subscriber to ``states``, changes the state
    /// while another call publishes, that call publishes the change, too.
    private func publish() {
        let isMine = guarded.withLock { guarded in
            defer { guarded.isPublishing = true }
            return !guarded.isPublishing
        }
        guard isMine else { return }
        while let state = guarded.withLock({ $0.nextState() }) { published.send(state) }
    }
}

extension CircuitBreaker.Threshold: Sendable where Context.SchedulerTimeType.Stride: Sendable {}

/// The end of a subscription that a breaker admitted. A cancellation after a value counts as a success.
enum CallEnd {
    case succeeded
    case failed
    case cancelled
}

/// The state of a ``CircuitBreaker``, which determines what happens to a new subscription.
public enum CircuitState: Hashable, Sendable, CaseIterable {
    /// All subscriptions are let through.
    case closed
    /// All subscriptions are rejected until the time is over. The first one after that becomes the trial.
    case open
    /// One subscription, the trial, is let through. All others are rejected.
    case halfOpen
}

/// The reason why ``Streams/Publisher/protected(by:customError:)`` has rejected a subscription.
public enum CircuitBreakerError<Time: Equatable & Sendable>: Error, Equatable, CustomStringConvertible {
    /// The breaker is open. From the given point in time on, it lets a trial through.
    case open(until: Time)
    /// The breaker is half open, and its trial is under way.
    case halfOpen

    /// The state of the breaker and, if it is open, until when.
    public var description: String {
        switch self {
        case .open(let date): "the circuit breaker is open until \(date)"
        case .halfOpen: "the circuit breaker is half open, and its trial is under way"
        }
    }
}

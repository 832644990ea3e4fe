import Synchronization

/// Spares a service that fails: after so many failures in a row, nobody asks it for a while.
///
/// One object stands for one service, and belongs in the environment of all who use it:
/// ```swift
/// let breaker = CircuitBreaker(failures: 5, resetAfter: .seconds(30), on: DispatchQueue.global())
/// let answer = request.protected(by: breaker) { .unavailable($0) }
/// ```
/// It is *closed* at first, and lets all subscriptions through. When ``failures`` of them in a row have ended with a failure it *opens*: a
/// new one fails at once. The first that comes when ``resetAfter`` is over is let through for a trial, and the breaker is *half open* as long
/// as that is under way. A trial that succeeds closes the breaker, one that fails opens it again.
///
/// A subscription fails if its completion says so, and succeeds if it finishes, or if it is cancelled after a value, as `first()` does. One
/// that is cancelled before any value is neither: after such a trial, the next subscription is one. What ends when the breaker has changed
/// its state since it was let through does not count. A trial that goes on without end keeps the breaker half open: a
/// ``Publisher/timeout(_:scheduler:options:customError:)`` above the operator makes a failure of it.
///
/// A reset after no time, or less, makes the next subscription the trial. After a span too long to be counted the breaker, once open,
/// stays so (see ``Scheduler``).
///
/// A breaker may be used from any thread. It has no timer: time is looked at when a subscription comes.
public final class CircuitBreaker<Context: Scheduler>: @unchecked Sendable where Context.SchedulerTimeType: Sendable {
    // Sound: a scheduler is made to be used from any thread; the rest is behind its lock, or a subject.

    /// How many failures in a row open it.
    public let failures: Int
    /// How long it stays open.
    public let resetAfter: Context.SchedulerTimeType.Stride
    /// Whose time it is.
    public let scheduler: Context
    private let guarded: Lock<Guarded>
    private let told = CurrentValueSubject<CircuitState, Never>(.closed)

    private struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        var circuit: Circuit<Context.SchedulerTimeType>
        /// The states that have not been told yet; and whether somebody tells them.
        var news = Queue<CircuitState>()
        var isTelling = false

        mutating func takeNews() -> CircuitState? {
            let next = news.popFirst()
            isTelling = next != nil
            return next
        }
    }

    /// A breaker that is closed.
    ///
    /// - Parameters:
    ///   - failures: How many failures in a row open it; one at least.
    ///   - span: How long it stays open before a trial.
    ///   - scheduler: Whose time it is.
    public init(failures: Int, resetAfter span: Context.SchedulerTimeType.Stride, on scheduler: Context) {
        precondition(failures >= 1, "CircuitBreaker(failures: \(failures)): it would never be closed; pass one or more")
        (self.failures, self.resetAfter, self.scheduler) = (failures, span, scheduler)
        guarded = Lock(Guarded(circuit: Circuit(limit: failures)))
    }

    /// What it does at this moment. It is open until a subscription comes after its time.
    public var state: CircuitState { guarded.withLock { $0.circuit.state } }

    /// Its state, and then each change, in order. A change is told before the subscription that made it receives its completion, unless
    /// another thread tells at that moment.
    public var states: AnyPublisher<CircuitState, Never> { told.eraseToAnyPublisher() }

    /// Lets a subscription through, or not.
    /// - Returns: A ticket to be shown at its end, or why it is refused.
    @usableFromInline func admit() -> Result<Int, CircuitBreakerError<Context.SchedulerTimeType>> {
        while true {
            let (number, end) = guarded.withLock { ($0.circuit.number, $0.circuit.end) }
            // Outside the lock: points in time may be the user's.
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

    /// Takes notice of how a subscription ended.
    @usableFromInline func note(_ ticket: Int, hasFailed: Bool) {
        note(hasFailed ? .failure(until: scheduler.now.advanced(by: resetAfter)) : .success, ticket)
    }

    /// Takes notice of one that was cancelled.
    @usableFromInline func noteCancellation(_ ticket: Int, afterValue hasSent: Bool) {
        note(hasSent ? .success : .neither, ticket)
    }

    private func note(_ outcome: Circuit<Context.SchedulerTimeType>.Outcome, _ ticket: Int) {
        change { $0.note(outcome, ticket: ticket) }
    }

    /// Changes the circuit, and tells if its state is another now.
    private func change<Answer>(_ change: (inout Circuit<Context.SchedulerTimeType>) -> Answer) -> Answer {
        let (answer, isNews, old) = guarded.withLock { guarded in
            let old = guarded.circuit
            let answer = change(&guarded.circuit)
            let isNews = guarded.circuit.state != old.state
            if isNews { guarded.news.append(guarded.circuit.state) }
            // Let go of outside the lock.
            return UncheckedTransfer((answer, isNews, old))
        }.value
        discard(old)
        if isNews { tell() }
        return answer
    }

    /// Tells of changes one after the other: what a subscriber to the states changes, or another thread, is told by the one who tells.
    private func tell() {
        let isMine = guarded.withLock { guarded in
            defer { guarded.isTelling = true }
            return !guarded.isTelling
        }
        guard isMine else { return }
        while let state = guarded.withLock({ $0.takeNews() }) { told.send(state) }
    }
}

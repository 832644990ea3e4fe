/// The state and the decisions of a circuit breaker: a plain value that reads no clock and calls no user code.
///
/// `Time` may be a user's type. So the caller determines whether the open phase is over, and keeps a copy of the old value,
/// to release it outside the lock.
struct Circuit<Time: Sendable>: Sendable {
    enum Phase: Sendable {
        case closed(failures: Int)
        case open(until: Time)
        case halfOpen(isTried: Bool)
    }

    /// The outcome of a subscription. A failure that opens the breaker opens it until the given time. `neither` is a
    /// cancellation before the first value.
    enum Outcome {
        case success
        case failure(until: Time)
        case neither
    }

    enum Admission {
        /// The subscription is admitted. Its ticket is passed to ``note(_:ticket:)`` when it ends.
        case passes(ticket: Int)
        /// The subscription is rejected: until the given time if the breaker is open, without a time if a trial is under way.
        case isRefused(until: Time?)
    }

    /// The failures that open a closed breaker: a number in a row, or a rate among a minimum of calls in the window.
    enum Limit: Sendable {
        case inARow(Int)
        case rate(Double, calls: Int)
    }

    let limit: Limit
    /// The calls among which the rate of failures is computed.
    private(set) var window = CallWindow<Time>()
    private(set) var phase = Phase.closed(failures: 0)
    /// The number of the phase, at least one, which is also the ticket of the subscriptions admitted in it. The outcome of a
    /// subscription that was admitted in an earlier phase does not count.
    private(set) var number = 1

    init(limit: Limit) { self.limit = limit }

    var state: CircuitState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// The end of the open phase; nil in any other phase.
    var end: Time? { if case .open(let date) = phase { date } else { nil } }

    /// Decides whether to admit a subscription.
    ///
    /// - Parameter isOver: Whether ``end`` has passed.
    mutating func admit(isOver: Bool) -> Admission {
        switch phase {
        case .open(let date) where !isOver: return .isRefused(until: date)
        case .halfOpen(isTried: true): return .isRefused(until: nil)
        case .closed: break
        case .open, .halfOpen: change(to: .halfOpen(isTried: true))
        }
        return .passes(ticket: number)
    }

    /// Records how a subscription ended, unless it was admitted in an earlier phase.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the subscription.
    ///   - ticket: Its ticket.
    ///   - turn: The change of the window before the call is counted; nil if the limit has no window.
    /// - Returns: False if the turn is out of date: compute another.
    mutating func note(_ outcome: Outcome, ticket: Int, turn: CallWindow<Time>.Turn? = nil) -> Bool {
        guard ticket == number else { return true }
        if let turn, !window.take(turn) { return false }
        switch (phase, outcome) {
        case (.closed, .neither), (.open, _): break
        case (.closed, .success):
            window.count(hasFailed: false)
            phase = .closed(failures: 0)
        case (.closed(let failures), .failure(let end)):
            window.count(hasFailed: true)
            if isReached(failures + 1) { change(to: .open(until: end)) } else { phase = .closed(failures: failures + 1) }
        case (.halfOpen, .failure(let end)): change(to: .open(until: end))
        case (.halfOpen, .neither): change(to: .halfOpen(isTried: false))
        case (.halfOpen, .success): change(to: .closed(failures: 0))
        }
        return true
    }

    /// Returns true if the breaker opens with this failure.
    ///
    /// - Parameter failures: The failures in a row, including this one.
    private func isReached(_ failures: Int) -> Bool {
        switch limit {
        case .inARow(let limit): failures >= limit
        case .rate(let rate, let calls): window.calls >= calls && Double(window.failures) / Double(window.calls) >= rate
        }
    }

    private mutating func change(to phase: Phase) {
        number += 1
        window.removeAll()
        self.phase = phase
    }
}

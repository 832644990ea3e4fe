/// The state and the decisions of a circuit breaker: a plain value that reads no clock and calls no user code.
///
/// `Time` may be a user's type. So the caller determines whether the time of an open phase is over, and keeps a copy of the old
/// value, to release it outside the lock.
struct Circuit<Time: Sendable>: Sendable {
    enum Phase: Sendable {
        case closed(failures: Int)
        case open(until: Time)
        case halfOpen(isTried: Bool)
    }

    /// How a subscription ended. If a failure opens the breaker, the breaker stays open until the given time. `neither` is a
    /// cancellation before the first value.
    enum Outcome {
        case success
        case failure(until: Time)
        case neither
    }

    enum Admission {
        /// The subscription is let through. Its ticket is passed to ``note(_:ticket:)`` when it ends.
        case passes(ticket: Int)
        /// The subscription is rejected: until the given time if the breaker is open, without a time if a trial is under way.
        case isRefused(until: Time?)
    }

    /// The failures that open a closed breaker: so many in a row, or such a rate among at least so many calls of the window.
    enum Limit: Sendable {
        case inARow(Int)
        case rate(Double, calls: Int)
    }

    let limit: Limit
    /// The calls that a rate is of.
    private(set) var window = CallWindow<Time>()
    private(set) var phase = Phase.closed(failures: 0)
    /// The number of the phase, one or more, which is also the ticket of the subscriptions that are let through in it. The
    /// outcome of a subscription that was let through in an earlier phase does not count.
    private(set) var number = 1

    init(limit: Limit) { self.limit = limit }

    var state: CircuitState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// When the open phase ends; nil in any other phase.
    var end: Time? { if case .open(let date) = phase { date } else { nil } }

    /// Decides whether a subscription is let through.
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

    /// Records how a subscription ended, unless it was let through in an earlier phase.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - ticket: Its ticket.
    ///   - turn: What happens to the window before; nil if the limit has none.
    /// - Returns: Whether it was recorded. If not, the turn is out of date: work out another.
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

    /// Whether the breaker opens with a failure.
    ///
    /// - Parameter failures: The failures in a row, with this one.
    private func isReached(_ failures: Int) -> Bool {
        switch limit {
        case .inARow(let limit): failures >= limit
        case .rate(let rate, let calls): window.calls >= calls && Double(window.failures) >= rate * Double(window.calls)
        }
    }

    private mutating func change(to phase: Phase) {
        number += 1
        window.removeAll()
        self.phase = phase
    }
}

/// What a circuit breaker knows and decides: plain code, without a clock and without calls.
///
/// Points in time may be the user's code. So whoever asks says whether the time is over, and the old phase is returned wherever it
/// holds one, to be let go of outside the lock.
struct Circuit<Time: Sendable>: Sendable {
    enum Phase: Sendable {
        case closed(failures: Int)
        case open(until: Time)
        case halfOpen(isTried: Bool)
    }

    /// How a subscription ended. After a failure that opens the breaker, it stays so until then.
    enum Outcome { case success, failure(until: Time), neither }

    enum Admission {
        /// It is let through. The ticket is to be shown at its end.
        case passes(ticket: Int)
        case isRefused(until: Time?)
    }

    let limit: Int
    private(set) var phase = Phase.closed(failures: 0)
    /// The number of the phase, one or more. Those that were let through in an earlier phase have no say in this one.
    private(set) var number = 1

    init(limit: Int) { self.limit = limit }

    var state: CircuitState {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    var end: Time? { if case .open(let date) = phase { date } else { nil } }

    /// - Parameter isOver: Whether the ``end`` has come.
    mutating func admit(isOver: Bool) -> Admission {
        switch phase {
        case .open(let date) where !isOver: return .isRefused(until: date)
        case .halfOpen(isTried: true): return .isRefused(until: nil)
        case .closed: break
        case .open, .halfOpen: change(to: .halfOpen(isTried: true))
        }
        return .passes(ticket: number)
    }

    /// Takes notice of how a subscription ended.
    mutating func note(_ outcome: Outcome, ticket: Int) {
        guard ticket == number else { return }
        switch (phase, outcome) {
        case (.closed, .neither), (.open, _): break
        case (.closed, .success): phase = .closed(failures: 0)
        case (.closed(let failures), .failure) where failures + 1 < limit: phase = .closed(failures: failures + 1)
        case (.closed, .failure(let end)), (.halfOpen, .failure(let end)): change(to: .open(until: end))
        case (.halfOpen, .neither): change(to: .halfOpen(isTried: false))
        case (.halfOpen, .success): change(to: .closed(failures: 0))
        }
    }

    private mutating func change(to phase: Phase) {
        number += 1
        self.phase = phase
    }
}

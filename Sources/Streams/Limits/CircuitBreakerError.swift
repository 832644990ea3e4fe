/// Why ``Publisher/protected(by:customError:)`` has refused a subscription.
public enum CircuitBreakerError<Time: Equatable & Sendable>: Error, Equatable, CustomStringConvertible {
    /// The breaker is open; from that point in time on it lets a trial through.
    case open(until: Time)
    /// The breaker is half open, and its trial is under way.
    case halfOpen

    /// What the breaker is, and until when.
    public var description: String {
        switch self {
        case .open(let date): "the circuit breaker is open until \(date)"
        case .halfOpen: "the circuit breaker is half open, and its trial is under way"
        }
    }
}

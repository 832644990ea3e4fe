import Streams

/// The reason why ``Publisher/protected(by:customError:)`` has rejected a subscription.
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

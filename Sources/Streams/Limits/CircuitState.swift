/// What a ``CircuitBreaker`` does with a new subscription.
public enum CircuitState: Hashable, Sendable, CaseIterable {
    /// It lets all through.
    case closed
    /// It refuses all until its time is over; the first that comes after that is the trial.
    case open
    /// It lets one through, the trial, and refuses the others.
    case halfOpen
}

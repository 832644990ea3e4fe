/// The state of a ``CircuitBreaker``, which determines what happens to a new subscription.
public enum CircuitState: Hashable, Sendable, CaseIterable {
    /// All subscriptions are let through.
    case closed
    /// All subscriptions are rejected until the time is over. The first one after that becomes the trial.
    case open
    /// One subscription, the trial, is let through. All others are rejected.
    case halfOpen
}

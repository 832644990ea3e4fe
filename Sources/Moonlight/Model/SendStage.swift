/// The stage up to which a sender waits for its event.
public enum SendStage: Sendable, Hashable {
    /// There is room for the event, and the loop has taken it.
    case taken
    /// `transform` has accepted or rejected the event, and its ready effects have been applied.
    case decided
    /// Everything that the event caused has settled, too: see `Store.send(_:until:within:on:)`.
    case settled
}

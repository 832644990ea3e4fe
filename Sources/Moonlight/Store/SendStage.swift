/// How long who sends an event waits.
public enum SendStage: Sendable, Hashable {
    /// Until there is room for the event, and it is in the loop's line.
    case taken
    /// Until `transform` has accepted or refused it, and the effects that lay ready have been applied.
    case decided
    /// Until everything that it caused has settled, too: see `Store.send(_:)`.
    case settled

    /// The stage at which the state can be read: ``SendStage/decided``, in the form of `send(_:until:reading:)`.
    public struct Decision: Sendable {
        @usableFromInline
        init() {}

        /// When `transform` has accepted the event, and the effects that lay ready have been applied.
        @inlinable public static var decided: Decision { Decision() }
    }
}

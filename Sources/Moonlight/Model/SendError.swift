/// Why an event was not taken, or did not settle.
public enum SendError: Error, CustomStringConvertible {
    /// The loop has ended, or did before the event had settled.
    case ended
    /// Too many events wait: see ``InboxBound``.
    case overflow
    /// `transform` has refused it, by throwing this; or a job that it asked for was refused, for this ``JobError``.
    case rejected(any Error)
    /// The task that waited for it was cancelled. The event itself goes on.
    case cancelled

    /// What happened.
    public var description: String {
        switch self {
        case .ended: "the loop has ended"
        case .overflow: "too many events wait in the loop's mailbox"
        case .rejected(let error): "the event was refused: \(error)"
        case .cancelled: "the task that waited for the event was cancelled"
        }
    }
}

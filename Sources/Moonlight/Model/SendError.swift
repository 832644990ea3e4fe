/// Why an event was not taken, was refused, or has not settled.
///
/// Whoever sends it again wants to know whether it may happen twice: ``isSafeToSendAgain`` says so.
public enum SendError: Error, CustomStringConvertible {
    /// It was not handled: the loop has ended.
    case ended
    /// It was not taken: the loop is being drained, see `Store.drain(within:)`.
    case draining
    /// It was not taken: too many events wait, see ``InboxBound``.
    case overflow
    /// `transform` has refused it, by throwing this; or a job that it asked for was refused, for this ``JobError``.
    case rejected(any Error)
    /// It was handled, but what it had begun was cut off. Indirect, so that each `send` returns two words and not fifteen.
    indirect case interrupted(Interruption)
    /// The task that waited for it was cancelled. An event that was taken goes on.
    case cancelled(isTaken: Bool)
    /// It was not told of in time. An event that was taken goes on.
    case timedOut(isTaken: Bool)

    /// What can cut off an event that was handled.
    public enum Interruption: Sendable, Hashable, CustomStringConvertible {
        /// The loop was cancelled.
        case loopEnded
        /// A newer job of policy ``JobPolicy/latest`` took the place of one that it had started.
        case jobReplaced(JobID)
        /// Its job did not start, as one of that id was in flight: see ``JobPolicy/ignoreNew``.
        case jobIgnored(JobID)
        /// A job that it had started was cancelled by its id.
        case jobCancelled(JobID)
        /// The child that it was for has left.
        case childLeft(ScopePath)

        /// What happened.
        public var description: String {
            switch self {
            case .loopEnded: "the loop has ended"
            case .jobReplaced(let id): "its job \(id) was replaced by a newer one"
            case .jobIgnored(let id): "its job \(id) was not started, as one of that id was in flight"
            case .jobCancelled(let id): "its job \(id) was cancelled"
            case .childLeft(let path): "the child \(path) has left"
            }
        }
    }

    /// Whether nothing of the event has happened, nor will: it was not taken, or `transform` has refused it.
    public var isSafeToSendAgain: Bool {
        switch self {
        case .ended, .draining, .overflow: true
        case .rejected(let error): !(error is JobError)
        case .cancelled(let isTaken), .timedOut(let isTaken): !isTaken
        case .interrupted: false
        }
    }

    /// What happened.
    public var description: String {
        switch self {
        case .ended: "the loop has ended"
        case .draining: "the loop is being drained"
        case .overflow: "too many events wait in the loop's mailbox"
        case .rejected(let error): "the event was refused: \(error)"
        case .interrupted(let interruption): "the event was handled, and then cut off: \(interruption)"
        case .cancelled(let isTaken):
            "the task that waited for the event was cancelled; the event \(isTaken ? "goes on" : "was not taken")"
        case .timedOut(let isTaken): "the time to wait was up; the event \(isTaken ? "goes on" : "was not taken")"
        }
    }
}

import PlainText

/// The reason why an event was not taken, was rejected, or did not settle.
///
/// ``isRetryable`` is true if the event can be sent again.
public enum SendError: Error, CustomStringConvertible {
    /// The event was not handled, because the loop has ended.
    case ended
    /// The event was not taken, because the loop is being drained: see `Store.drain(within:)`.
    case draining
    /// The event was not taken, because too many events wait: see `InboxBound`.
    case overflow
    /// The event was rejected by `transform`, or one of its effects by `apply`, which threw this error. Or a job of the event was
    /// refused, with this ``JobError``. Or the log of a durable store refused an effect, for this reason.
    case rejected(any Error)
    /// The event was handled, but work that it started was interrupted. Indirect, so that each `send` returns two words instead
    /// of fifteen.
    indirect case interrupted(Interruption)
    /// The task that waited for the event was cancelled. An event that was taken continues.
    case cancelled(isTaken: Bool)
    /// The event did not reach the awaited stage within the time limit. An event that was taken continues.
    case timedOut(isTaken: Bool)

    /// The results of the event could not be made durable, for this reason: see `MoonlightDurability`. An event that was handled
    /// may be durable or not.
    indirect case notDurable(any Error, isTaken: Bool)

    /// The cause that interrupted the work of an event that was handled.
    public enum Interruption: Sendable, Hashable, CustomStringConvertible {
        /// The loop was cancelled.
        case loopEnded
        /// A newer job with its id replaced a job of the event: see ``JobPolicy/latest``.
        case jobReplaced(JobID)
        /// The event's job did not start, because one with that id was in flight: see ``JobPolicy/ignoreNew``.
        case jobIgnored(JobID)
        /// A job of the event was cancelled by its id.
        case jobCancelled(JobID)
        /// A child whose effects the event had started was removed.
        case childRemoved(ScopePath)

        /// A description of what happened, without control characters.
        public var description: String { text.escapingControls }

        private var text: String {
            switch self {
            case .loopEnded: "the loop has ended"
            case .jobReplaced(let id): "its job \(id) was replaced by a newer one"
            case .jobIgnored(let id): "its job \(id) was not started, because a job with that id was in flight"
            case .jobCancelled(let id): "its job \(id) was cancelled"
            case .childRemoved(let path): "the child \(path) was removed"
            }
        }
    }

    /// True if the event can be sent again without taking effect twice: it was not taken, or it was rejected other than by a
    /// ``JobError``. The exception is an event of several effects of which `apply` rejected one: the others may have been
    /// applied.
    public var isRetryable: Bool {
        switch self {
        case .ended, .draining, .overflow: true
        case .rejected(let error): !(error is JobError)
        case .cancelled(let isTaken), .timedOut(let isTaken), .notDurable(_, let isTaken): !isTaken
        case .interrupted: false
        }
    }

    /// A description of what happened, without control characters.
    public var description: String { text.escapingControlsInLines }

    private var text: String {
        switch self {
        case .ended: "the loop has ended"
        case .draining: "the loop is being drained"
        case .overflow: "too many events wait in the loop's inbox"
        case .rejected(let error): "the event was rejected: \(error)"
        case .interrupted(let interruption): "the event was handled, but its work was interrupted: \(interruption)"
        case .cancelled(let isTaken):
            "the task that waited for the event was cancelled; the event \(isTaken ? "continues" : "was not taken")"
        case .notDurable(let error, let isTaken):
            "the event \(isTaken ? "was handled, but may not be durable" : "was not taken"): \(error)"
        case .timedOut(let isTaken): "the time limit was reached; the event \(isTaken ? "continues" : "was not taken")"
        }
    }
}

extension SendError: CustomDebugStringConvertible {
    /// The ``description``; for a ``Rejection``, with the child and the place in the source.
    public var debugDescription: String {
        guard case .rejected(let rejection as Rejection) = self else { return description }
        return "the event was rejected: \(rejection.debugDescription)"
    }
}

/// The stage up to which a sender waits for its event.
public enum SendStage: Sendable, Hashable {
    /// There is room for the event, and the loop has taken it.
    case taken
    /// `transform` has accepted or rejected the event, and its ready effects have been applied.
    case decided
    /// Everything that the event caused has settled, too: see `Store.send(_:until:within:on:)`.
    case settled
}

/// The reason why a router's event was not accepted, or why the result is unknown.
public enum RoutingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member has rejected the event, for this reason.
    case rejected(String)
    /// The queue of the member is full. The event was not accepted.
    case overflow
    /// This router is being drained. The event was not accepted.
    case draining
    /// The event cannot be sent: no member can have the id, or the event cannot be encoded, or the owner cannot decode it.
    case invalid(String)
    /// No owner has answered in time that the event was accepted.
    ///
    /// If `isTaken` is true, the event may be in the log, or may still reach it. To find out, send it again with the same key.
    case unanswered(String, isTaken: Bool)

    /// True if the event can be sent again with another key without being applied twice.
    public var isRetryable: Bool { if case .unanswered(_, let isTaken) = self { !isTaken } else { true } }

    /// A description of the error.
    public var description: String {
        switch self {
        case .rejected(let reason): "the event was rejected: \(reason)"
        case .overflow: "the queue of the member is full"
        case .draining: "the router is being drained"
        case .invalid(let reason): "the event cannot be sent: \(reason)"
        case .unanswered(let reason, let isTaken):
            "no owner has accepted the event in time: \(reason); \(isTaken ? "it may have been taken" : "it was not taken")"
        }
    }
}

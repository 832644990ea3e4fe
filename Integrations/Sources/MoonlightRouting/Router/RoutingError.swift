/// The reason for which an event that was sent by a router has not been accepted, or the knowledge about it.
public enum RoutingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The member has rejected the event, for this reason.
    case rejected(String)
    /// Too many events of the member wait. The event was not taken.
    case overflow
    /// This process hands over what it owns, and sends nothing more. The event was not taken.
    case draining
    /// The event cannot be sent: no member can have the id, or the event cannot be encoded, or the owner cannot decode it.
    case invalid(String)
    /// No owner has answered in time that the event was accepted.
    ///
    /// If `isTaken` is true, the event may be in the log, or may get there still: nobody knows. To find out, send it again with the same
    /// key.
    case unanswered(String, isTaken: Bool)

    /// Indicates whether the event can be sent again with another key without happening twice.
    public var isRetryable: Bool { if case .unanswered(_, let isTaken) = self { !isTaken } else { true } }

    /// A description of the error.
    public var description: String {
        switch self {
        case .rejected(let reason): "the event was rejected: \(reason)"
        case .overflow: "too many events wait"
        case .draining: "this process hands over what it owns"
        case .invalid(let reason): "the event cannot be sent: \(reason)"
        case .unanswered(let reason, let isTaken):
            "no owner has accepted the event in time: \(reason); \(isTaken ? "it may have been taken" : "it was not taken")"
        }
    }
}

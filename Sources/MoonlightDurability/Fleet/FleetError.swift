import Moonlight

/// The error of an event to a fleet's member, or of a call of the fleet.
public enum FleetError: Error, CustomStringConvertible {
    /// The member answered with this error, or the fleet did before it was awake.
    case send(id: String, SendError)
    /// The maximal number of members are awake, and none can be put to sleep, because the fleet is not durable.
    case full(id: String, resident: Int)
    /// The log of the member cannot be read.
    case unreadable(id: String, DurabilityError)
    /// The log of the member could not be removed.
    case unremoved(id: String, DurabilityError)
    /// The storage of the fleet cannot be opened.
    case unopened(DurabilityError)
    /// The text of an id is longer than 1,024 bytes, or cannot be read as an id.
    case invalidID(String)

    /// True if the event can be sent again without being handled twice.
    public var isRetryable: Bool {
        if case .send(_, let error) = self { error.isRetryable } else { true }
    }

    /// The member and the error, without control characters.
    public var description: String { text.escapingControlsInLines }

    private var text: String {
        switch self {
        case .send(let id, let error): "\(id): \(error)"
        case .full(let id, let resident):
            "\(id) cannot be created: \(resident) members are awake, and a fleet that is not durable cannot put any to sleep"
        case .unreadable(let id, let error): "\(id) cannot be woken: \(error)"
        case .unremoved(let id, let error): "\(id) cannot be removed: \(error)"
        case .unopened(let error): "the fleet cannot be opened: \(error)"
        case .invalidID(let id): "\(id.prefix(80)) is not a valid id of at most 1,024 bytes"
        }
    }
}

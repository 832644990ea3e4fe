import Moonlight

/// Why an event has not reached a member of a fleet, or what has become of it.
public enum FleetError: Error, CustomStringConvertible {
    /// The member was awake, and answered this; or the fleet did, before: it is being drained, or the task was cancelled.
    case send(id: String, SendError)
    /// As many members are awake as may be, and none can be put to sleep, because the fleet is not durable.
    case full(id: String, resident: Int)
    /// The log of the member cannot be read.
    case unreadable(id: String, DurabilityError)
    /// The log of the member could not be removed.
    case unremoved(id: String, DurabilityError)
    /// The storage of the fleet cannot be opened.
    case unopened(DurabilityError)
    /// The fleet cannot know a member by this text: it is longer than 1,024 bytes, or it does not lead to an id.
    case invalidID(String)

    /// Whether the event can be sent again without happening twice.
    public var isRetryable: Bool {
        if case .send(_, let error) = self { error.isRetryable } else { true }
    }

    /// What happened, and to whom.
    public var description: String {
        switch self {
        case .send(let id, let error): "\(id): \(error)"
        case .full(let id, let resident): "\(id) cannot be made: \(resident) members are awake, and none can be put to sleep"
        case .unreadable(let id, let error): "\(id) cannot be woken: \(error)"
        case .unremoved(let id, let error): "\(id) cannot be removed: \(error)"
        case .unopened(let error): "the fleet cannot be opened: \(error)"
        case .invalidID(let id): "\(id.prefix(80)) is no id"
        }
    }
}

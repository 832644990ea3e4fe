/// An event that was refused, and the reason: see `Store.refusals`.
public struct RefusedEvent<Event> {
    /// The event.
    public let event: Event
    /// The reason why it was refused.
    public let error: SendError

    @usableFromInline
    init(event: Event, error: SendError) {
        self.event = event
        self.error = error
    }
}

extension RefusedEvent: Sendable where Event: Sendable {}

extension RefusedEvent: CustomStringConvertible {
    /// The event and the reason.
    public var description: String { "\(event): \(error)" }
}

/// An event that was not handled as its sender may have expected: see `Store.refusals`.
public struct RefusedEvent<Event> {
    /// The event.
    public let event: Event
    /// Why it was refused.
    public let error: SendError

    @usableFromInline
    init(event: Event, error: SendError) { (self.event, self.error) = (event, error) }
}

extension RefusedEvent: Sendable where Event: Sendable {}

extension RefusedEvent: CustomStringConvertible {
    /// The event, and why.
    public var description: String { "\(event): \(error)" }
}

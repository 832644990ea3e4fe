import Streams
import Synchronization

/// The refused events of a loop, for observers. Created for the first one.
final class Refusals<Event>: LoopService, @unchecked Sendable {
    // Sound: the subject is thread-safe.
    let subject = PassthroughSubject<RefusedEvent<Event>, Never>()
}

extension LoopContext {
    /// Returns a stream of the later refusals.
    func refusals<Event>(of _: Event.Type) -> AnyPublisher<RefusedEvent<Event>, Never> {
        guard !isOver else { return .none }
        let refusals = service(Refusals<Event>.self)
        // The loop may have ended meanwhile, without knowing of this observer.
        if isOver { refusals.subject.send(completion: .finished) }
        return AnyPublisher(storing: .hiding(refusals.subject))
    }

    /// Counts a refused event and notifies observers. Safe from any thread.
    @usableFromInline
    func noteRefused<Event>(_ event: Event, _ error: SendError) {
        counters?.refusals.wrappingAdd(1, ordering: .relaxed)
        watched(Event.self)?.send(RefusedEvent(event: event, error: error))
    }

    /// Finishes the stream of refused events: the loop has ended.
    @usableFromInline
    func endRefusals<Event>(of _: Event.Type) {
        // Most loops have no services, and the search looks up types.
        if attached.withLock({ $0.services.isEmpty }) { return }
        watched(Event.self)?.send(completion: .finished)
    }

    private func watched<Event>(_: Event.Type) -> PassthroughSubject<RefusedEvent<Event>, Never>? {
        existing(Refusals<Event>.self)?.subject
    }
}

/// An event that was refused, and the reason: see `Store.refusals`.
public struct RefusedEvent<Event> {
    /// The event.
    public let event: Event
    /// The reason why it was refused.
    public let error: SendError
}

extension RefusedEvent: Sendable where Event: Sendable {}

extension RefusedEvent: CustomStringConvertible {
    /// The event and the reason.
    public var description: String { "\(event): \(error)".escapingControlsInLines }
}

import Streams

/// The subscriber of one stream of feedback, which passes its events to the loop.
@usableFromInline
final class EventSubscriber<State: Equatable, Event, Effect, Environment>: Cancellable, LoopMember, Subscriber,
    @unchecked Sendable
{
    // Sound: the inlet is thread-safe, the rest is immutable.
    @usableFromInline typealias Input = Event
    @usableFromInline typealias Failure = Never

    @usableFromInline let loop: Loop<State, Event, Effect, Environment>
    @usableFromInline let inlet = Inlet()

    @inlinable
    init(_ loop: Loop<State, Event, Effect, Environment>) {
        self.loop = loop
    }

    @inlinable
    func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ event: Event) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        if DeliveryOrigin.isSet { receiveInTransit(event) } else { loop.take(event: event, isAnswer: false) }
        return .none
    }

    /// Passes on an event that may follow from work in flight: an event of a reaction, or an answer to a state of the loop,
    /// perhaps sent by another thread. `DeliveryOrigin` is cleared meanwhile, since the same source does not send the
    /// consequences of the event.
    @usableFromInline
    func receiveInTransit(_ event: Event) {
        let transit = DeliveryOrigin.current as? Transit
        let isAnswer = transit?.context === loop.context
        DeliveryOrigin.none { loop.take(event: event, isAnswer: isAnswer) }
        withExtendedLifetime(transit) {}
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        if inlet.finish() { loop.take(.eventsEnded) }
    }

    @usableFromInline var context: LoopContext? { loop.context }
    @usableFromInline var _subscriberContext: AnyObject? { self }

    @usableFromInline
    func cancel() { inlet.cancel() }
}

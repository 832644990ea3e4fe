import Streams

/// Brings the events of one feedback stream to the loop.
@usableFromInline
final class EventSubscriber<State: Equatable, Event, Effect, Environment>: LoopSource, LoopMember, Subscriber,
    @unchecked Sendable
{
    // Sound: the inlet guards itself, the rest is immutable.
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

    /// Perhaps a reaction is sending, or a state of the loop's that another thread has brought on its way.
    ///
    /// What the loop does then is not sent by that: neither what comes of the event nor tasks that are started now, which would
    /// inherit it.
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

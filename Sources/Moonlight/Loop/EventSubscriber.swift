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
        if !inlet.isEnded { loop.take(event: event) }
        return .none
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

import Streams
import Synchronization

/// Brings the effects of one event to the loop.
///
/// What the stream sends while the loop subscribes, on the loop's own thread and so from inside `subscribe`, is applied on
/// the spot: that is how it comes before anything in the mailbox. What another thread sends, at whatever moment, goes
/// through the mailbox: its place in the order is where it arrives.
@usableFromInline
final class EffectSubscriber<State: Equatable, Event, Effect, Environment>: LoopSource, Subscriber,
    @unchecked Sendable
{
    // Sound: what is shared is atomic, the inlet guards itself, `place` is only touched with the loop's sources locked.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    /// The bits of `phase`.
    @usableFromInline
    enum Bits {
        @inlinable static var live: UInt8 { 1 }
        @inlinable static var ended: UInt8 { 2 }
    }

    @usableFromInline let loop: Loop<State, Event, Effect, Environment>
    @usableFromInline let inlet = Inlet()
    @usableFromInline let phase = Atomic<UInt8>(0)
    /// The thread on which the loop is subscribing; none before and after.
    @usableFromInline let subscribingThread = Atomic<UInt>(0)
    @usableFromInline let cancelled = CancellationFlag()
    @usableFromInline var place = -1

    @inlinable
    init(_ loop: Loop<State, Event, Effect, Environment>) {
        self.loop = loop
    }

    /// Whether its effects are no longer wanted, also those that wait in the mailbox.
    @inlinable
    var isCancelled: Bool { cancelled.isSet }

    @inlinable
    func receive(subscription: any Subscription) {
        if inlet.fill(subscription) { subscription.request(.unlimited) }
    }

    @inlinable
    func receive(_ effect: Effect) -> Subscribers.Demand {
        guard !inlet.isEnded else { return .none }
        if subscribingThread.load(ordering: .relaxed) == currentThread() {
            loop.applyOnTheSpot(effect, from: self)
        } else {
            loop.take(.effect(effect, from: self))
        }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Never>) {
        guard inlet.finish() else { return }
        let before = phase.bitwiseOr(Bits.ended, ordering: .acquiringAndReleasing).oldValue
        if before & Bits.live != 0 { loop.take(.effectsEnded(self)) }
    }

    /// Subscribes, on the loop's thread.
    ///
    /// - Returns: Whether the stream has not ended yet.
    @inlinable
    func subscribe(to effects: AnyPublisher<Effect, Never>) -> Bool {
        subscribingThread.store(currentThread(), ordering: .relaxed)
        effects.subscribe(self)
        subscribingThread.store(0, ordering: .relaxed)
        return phase.bitwiseOr(Bits.live, ordering: .acquiringAndReleasing).oldValue & Bits.ended == 0
    }

    @usableFromInline
    func cancel() {
        _ = cancelled.set()
        inlet.cancel()
    }
}

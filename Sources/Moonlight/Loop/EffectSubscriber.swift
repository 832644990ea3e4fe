import Streams
import Synchronization

/// Brings the effects of one event to the loop.
///
/// While the loop subscribes, effects are applied on the spot: that is how they come before anything in the mailbox.
/// Usually it is the loop's own thread that sends them, from inside `subscribe`. But a stream may also send from another
/// thread at that moment, and the two must not meet:
///
///     thread A (owner)                          thread B (sends an effect)
///     ----------------                          --------------------------
///     effects.subscribe(subscriber)
///                                               idle -> applying: applies the effect
///     returns from subscribe
///     sees `applying`: hands over
///     goes away, no longer the owner
///                                               sees `handedOver`: is the owner now,
///                                               runs the rest of the mail
///
/// Nobody waits for anybody.
@usableFromInline
final class EffectSubscriber<State: Equatable, Event, Effect, Environment>: LoopSource, Subscriber,
    @unchecked Sendable
{
    // Sound: `phase` is atomic, the inlet guards itself, `place` is only touched with the loop's sources locked.
    @usableFromInline typealias Input = Effect
    @usableFromInline typealias Failure = Never

    /// The bits of `phase`. Zero: the loop is subscribing.
    @usableFromInline
    enum Bits {
        @inlinable static var applying: UInt8 { 1 }
        @inlinable static var handedOver: UInt8 { 2 }
        @inlinable static var live: UInt8 { 4 }
        @inlinable static var ended: UInt8 { 8 }
    }

    /// What has become of a stream when the loop has subscribed to it.
    @usableFromInline
    enum Outcome { case live, ended, handedOver }

    @usableFromInline let loop: Loop<State, Event, Effect, Environment>
    @usableFromInline let inlet = Inlet()
    @usableFromInline let phase = Atomic<UInt8>(0)
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
        if phase.compareExchange(expected: 0, desired: Bits.applying, ordering: .acquiring).exchanged {
            loop.apply(effect)
            let (_, now) = phase.bitwiseAnd(~Bits.applying, ordering: .acquiringAndReleasing)
            if now & Bits.handedOver != 0 { loop.takeOver(from: self) }
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

    /// The loop has subscribed. What is sent from now on goes through the mailbox.
    @inlinable
    func endSubscribing() -> Outcome {
        var seen = phase.load(ordering: .acquiring)
        while true {
            let isApplying = seen & Bits.applying != 0
            let next = seen | (isApplying ? Bits.handedOver : Bits.live)
            let (exchanged, now) = phase.compareExchange(
                expected: seen, desired: next, ordering: .acquiringAndReleasing)
            if exchanged {
                if isApplying { return .handedOver }
                return seen & Bits.ended != 0 ? .ended : .live
            }
            seen = now
        }
    }

    /// The same for the thread to which the loop was handed over.
    ///
    /// - Returns: Whether the stream had ended before.
    @inlinable
    func endSubscribingAfterHandover() -> Bool {
        phase.bitwiseOr(Bits.live, ordering: .acquiringAndReleasing).oldValue & Bits.ended != 0
    }

    @usableFromInline
    func cancel() {
        _ = cancelled.set()
        inlet.cancel()
    }
}

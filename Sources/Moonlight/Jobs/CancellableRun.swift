import Streams
import Synchronization

/// A run of effects that others than its upstream may end, at any moment and from any thread: a loop that cancels a job, a child
/// that leaves. One at a time is inside the downstream; an end that comes meanwhile is told when that one is back.
@usableFromInline
class CancellableRun<Effect>: EffectOrigin, @unchecked Sendable {
    // Sound: `state` lets one at a time touch the downstream.

    @usableFromInline
    enum StateBits {
        @inlinable static var delivering: UInt8 { 1 }
        @inlinable static var over: UInt8 { 2 }
        /// Over because the downstream wants no more: it is not told.
        @inlinable static var silent: UInt8 { 4 }
        /// The downstream is still being given its subscription.
        @inlinable static var joining: UInt8 { 8 }
        /// Somebody is inside the downstream, and sees to an end when back.
        @inlinable static var inside: UInt8 { delivering | joining }
    }

    @usableFromInline final let state = Atomic<UInt8>(StateBits.joining)
    @exclusivity(unchecked) @usableFromInline final var downstream: AnySubscriber<Effect, Never>?

    @inlinable
    init(_ downstream: AnySubscriber<Effect, Never>, parent: EffectOrigin) {
        self.downstream = downstream
        super.init(parent: parent)
    }

    /// Gives the downstream its subscription. Until then it is told nothing.
    @inlinable
    final func join(as subscription: any Subscription) {
        downstream?.receive(subscription: subscription)
        comeBack(from: StateBits.joining)
    }

    /// Sends what a closure makes, unless the run is over.
    @inlinable
    final func send(_ make: () -> Effect) -> Subscribers.Demand {
        guard goInside() else { return .none }
        let inner = DeliveryOrigin.current as? EffectOrigin
        let demand =
            if inner?.isInside(self) == true { downstream?.receive(make()) } else {
                DeliveryOrigin.with(self) { downstream?.receive(make()) }
            }
        comeBack(from: StateBits.delivering)
        return demand ?? .none
    }

    /// Ends the run.
    ///
    /// - Parameter silently: Whether the downstream is not told, for it has had enough.
    /// - Parameter release: Done before the downstream is told.
    /// - Returns: Whether the run was not over before.
    @inlinable
    final func end(silently: Bool = false, _ release: () -> Void = {}) -> Bool {
        let before = state.bitwiseOr(
            silently ? StateBits.over | StateBits.silent : StateBits.over, ordering: .acquiringAndReleasing
        ).oldValue
        guard before & StateBits.over == 0 else { return false }
        release()
        if before & StateBits.inside == 0 { leave(silently: silently) }
        return true
    }

    /// Not after the end: then nobody would see to it.
    @inlinable
    final func goInside() -> Bool {
        var seen = state.load(ordering: .relaxed)
        while seen & StateBits.over == 0 {
            let (exchanged, now) = state.compareExchange(
                expected: seen, desired: seen | StateBits.delivering, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            seen = now
        }
        return false
    }

    /// Whoever was inside the downstream last sees to the end that has come meanwhile.
    @inlinable
    final func comeBack(from bit: UInt8) {
        let before = state.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
        if before & StateBits.over != 0, before & StateBits.inside == bit { leave(silently: before & StateBits.silent != 0) }
    }

    @inlinable
    final func leave(silently: Bool) {
        let last = downstream.take()
        if !silently { last?.receive(completion: .finished) }
    }
}

import Streams
import Synchronization

/// A run of effects that can be ended from outside, at any moment and from any thread: by the loop, which cancels a job, or
/// by the removal of a child. One thread at a time is inside the downstream; an end that arrives meanwhile takes effect when
/// that thread comes back.
///
/// A run whose loop is isolated to an actor may be ended from elsewhere. It then sends nothing more, but what it holds is released on
/// the actor, and the downstream gets its completion there: see ``endFromElsewhere()``.
@usableFromInline
class CancellableRun<Effect>: EffectOrigin, @unchecked Sendable {
    // Sound: `state` lets one thread at a time touch the downstream, only the loop's owner once it says `atHome`.

    @usableFromInline
    enum StateBits {
        @inlinable static var delivering: UInt8 { 1 }
        @inlinable static var over: UInt8 { 2 }
        /// Over because the downstream wants no more: it gets no completion.
        @inlinable static var silent: UInt8 { 4 }
        /// The downstream is still receiving its subscription.
        @inlinable static var joining: UInt8 { 8 }
        /// Over, and to be left by the loop's owner, where the loop is at home.
        @inlinable static var atHome: UInt8 { 16 }
        /// A thread is inside the downstream; when it comes back, it completes an end that has arrived meanwhile.
        @inlinable static var inside: UInt8 { delivering | joining }
    }

    @usableFromInline final let state = Atomic<UInt8>(StateBits.joining)
    @exclusivity(unchecked) @usableFromInline final var downstream: AnySubscriber<Effect, Never>?

    @inlinable
    init(_ downstream: AnySubscriber<Effect, Never>, parent: EffectOrigin) {
        self.downstream = downstream
        super.init(parent: parent)
    }

    /// Passes the downstream its subscription. Before that, it receives nothing, and no completion either.
    @inlinable
    final func join(as subscription: any Subscription) {
        downstream?.receive(subscription: subscription)
        comeBack(from: StateBits.joining)
    }

    /// Sends what a closure returns, unless the run is over.
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
    /// - Parameters:
    ///   - silently: Whether the downstream gets no completion, because it wants no more.
    ///   - release: Called before the downstream gets its completion.
    /// - Returns: Whether this call ended the run; false if it was over before.
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

    /// Ends the run from a thread that may not release what it holds: the loop's owner does that, by ``endAtHome()``.
    @usableFromInline
    final func endFromElsewhere() {
        let before = state.bitwiseOr(StateBits.over | StateBits.atHome, ordering: .acquiringAndReleasing).oldValue
        // If it was over before, the thread that has ended it releases what it holds.
        if before & StateBits.over == 0 { root.takeHome(self) }
    }

    /// Releases what the run holds, except for the downstream if a thread is still inside it; that thread comes back to this.
    @usableFromInline
    override func endAtHome() {
        letGo()
        let seen = state.load(ordering: .acquiring)
        if seen & StateBits.inside == 0 { leave(silently: seen & StateBits.silent != 0) }
    }

    /// Releases what the run holds upstream.
    @usableFromInline func letGo() {}

    /// Marks this thread as inside the downstream.
    ///
    /// - Returns: False, without marking it, if the run is over: the end may have been completed already.
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

    /// Marks this thread as outside again. The last one to come back completes an end that has arrived meanwhile.
    @inlinable
    final func comeBack(from bit: UInt8) {
        let before = state.bitwiseAnd(~bit, ordering: .acquiringAndReleasing).oldValue
        guard before & StateBits.over != 0, before & StateBits.inside == bit else { return }
        if before & StateBits.atHome != 0 { root.takeHome(self) } else { leave(silently: before & StateBits.silent != 0) }
    }

    /// Called when no thread is inside the downstream any more, before that gets its completion, if it gets one.
    @usableFromInline func willComplete() {}

    /// Releases the downstream, after a completion unless the run ended silently.
    @inlinable
    final func leave(silently: Bool) {
        let last = downstream.take()
        willComplete()
        if !silently { last?.receive(completion: .finished) }
    }
}

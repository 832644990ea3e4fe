import Synchronization

/// A place where the last subscriber of a chain keeps its subscription: empty at first, filled once, then ended for good.
///
/// Its state is one word, so that a live `sink` is small and a value costs one load. The thread that takes the subscription out
/// of the word owns it; no method of the subscription is called while it is in the word.
@usableFromInline package final class SubscriptionSlot: SubscriptionCore, @unchecked Sendable {
    // Sound: the one stored word is atomic.
    /// 0 if empty, 1 if ended, else a retained `SubscriptionCore`.
    @usableFromInline let word = Atomic<UInt>(0)

    @inlinable package override init() { super.init() }
    deinit { if let upstream = Self.pointer(word.load(ordering: .acquiring)) { upstream.release() } }

    /// Whether values are no longer wanted. It costs one load, so that it can be checked for each value.
    @inlinable @inline(__always) package var isEnded: Bool { word.load(ordering: .relaxed) == 1 }

    /// Whether there is a subscription.
    var isFilled: Bool { word.load(ordering: .relaxed) > 1 }

    /// Stores the subscription, or cancels it if it is a second one or arrives after the end; returns whether it was stored.
    @inlinable package func fill(_ subscription: any Subscription) -> Bool {
        let candidate = Unmanaged.passRetained(SubscriptionCore.adopting(subscription))
        let bits = UInt(bitPattern: candidate.toOpaque())
        if word.compareExchange(expected: 0, desired: bits, ordering: .acquiringAndReleasing).exchanged { return true }
        candidate.takeRetainedValue().cancel()
        return false
    }

    /// Ends the slot because the upstream has completed, and releases the subscription; returns whether this call ended it.
    @usableFromInline package func finish() -> Bool {
        let before = word.exchange(1, ordering: .acquiringAndReleasing)
        if let upstream = Self.pointer(before) { upstream.release() }
        return before != 1
    }

    /// Ends the slot and cancels the upstream.
    @usableFromInline package override func cancel() {
        guard let upstream = Self.pointer(word.exchange(1, ordering: .acquiringAndReleasing)) else { return }
        upstream.takeRetainedValue().cancel()
    }

    @usableFromInline package override func request(_ demand: Subscribers.Demand) {}

    private static func pointer(_ bits: UInt) -> Unmanaged<SubscriptionCore>? {
        guard bits > 1, let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        return .fromOpaque(pointer)
    }
}

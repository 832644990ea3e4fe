import Synchronization

/// Where the last subscriber of a chain keeps its subscription: empty at first, filled once, then ended for good. One word says
/// all of it, so that a live `sink` is small and a value costs one load. Whoever takes the subscription out of the word owns it;
/// nobody calls it while it is in there.
@usableFromInline package final class SubscriptionSlot: SubscriptionCore, @unchecked Sendable {
    // Sound: the one stored word is atomic.
    /// 0 when empty, 1 when ended, else a retained `SubscriptionCore`.
    @usableFromInline let word = Atomic<UInt>(0)

    @inlinable package override init() { super.init() }
    deinit { if let upstream = Self.pointer(word.load(ordering: .acquiring)) { upstream.release() } }

    /// Whether values are no longer wanted. One load: meant to be asked for every value.
    @inlinable @inline(__always) package var isEnded: Bool { word.load(ordering: .relaxed) == 1 }

    /// Whether there is a subscription.
    var isFilled: Bool { word.load(ordering: .relaxed) > 1 }

    /// Takes the subscription in, or cancels it if it is a second one or comes after the end; returns whether it was taken.
    @inlinable package func fill(_ subscription: any Subscription) -> Bool {
        let candidate = Unmanaged.passRetained(SubscriptionCore.adopting(subscription))
        let bits = UInt(bitPattern: candidate.toOpaque())
        if word.compareExchange(expected: 0, desired: bits, ordering: .acquiringAndReleasing).exchanged { return true }
        candidate.takeRetainedValue().cancel()
        return false
    }

    /// Ends the slot because the upstream completed: lets go of the subscription. Returns whether it had not ended before.
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

import Synchronization

/// An operator's end towards its upstream: the subscription, guarded.
///
/// It may be filled, asked and ended by different threads at once. The subscription is never called with the lock held.
@usableFromInline
package struct Inlet: ~Copyable {
    @usableFromInline let ended = Atomic<Bool>(false)
    @usableFromInline let upstream = Lock<SubscriptionCore?>(nil)

    @inlinable
    package init() {}

    /// Whether values are no longer wanted.
    @inlinable
    package var isEnded: Bool { ended.load(ordering: .acquiring) }

    /// Takes the subscription in.
    ///
    /// - Returns: Whether it was taken. A second one, or one that comes after the end, is cancelled instead.
    @usableFromInline
    package borrowing func fill(_ subscription: any Subscription) -> Bool {
        let candidate = SubscriptionCore.adopting(subscription)
        let taken = upstream.withLock { upstream in
            guard upstream == nil, !isEnded else { return false }
            upstream = candidate
            return true
        }
        if !taken { candidate.cancel() }
        return taken
    }

    /// Asks the upstream for values, if there is one.
    @usableFromInline
    package borrowing func request(_ demand: Subscribers.Demand) {
        guard demand != .none else { return }
        upstream.withLock { $0 }?.request(demand)
    }

    /// Ends because the upstream completed: lets go of the subscription.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline
    package borrowing func finish() -> Bool { end().first }

    /// Ends and cancels the upstream.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline @discardableResult
    package borrowing func cancel() -> Bool {
        let (first, subscription) = end()
        subscription?.cancel()
        return first
    }

    private borrowing func end() -> (first: Bool, subscription: SubscriptionCore?) {
        upstream.withLock { upstream in
            let first = !ended.exchange(true, ordering: .acquiringAndReleasing)
            defer { upstream = nil }
            return (first, upstream)
        }
    }
}

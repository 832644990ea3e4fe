import Synchronization

/// An operator's end towards its upstream: the subscription, guarded.
///
/// It may be filled, asked and ended by different threads at once. The subscription is never called with the lock held.
@usableFromInline package struct Inlet: ~Copyable {
    /// 0 before the subscription, 1 while there is one, 2 after the end.
    @usableFromInline let state = Atomic<UInt8>(0)
    @usableFromInline let upstream = Lock<SubscriptionCore?>(nil)
    @inlinable package init() {}
    /// Whether values are not wanted: there is no subscription yet, or none any more.
    @inlinable package var isEnded: Bool { state.load(ordering: .acquiring) != 1 }
    /// Whether no subscription has come, and nobody has ended the wait for it.
    @usableFromInline var isAwaiting: Bool { state.load(ordering: .acquiring) == 0 }
    /// Takes the subscription in.
    ///
    /// - Returns: Whether it was taken. A second one, or one that comes after the end, is cancelled instead.
    @usableFromInline package borrowing func fill(_ subscription: any Subscription) -> Bool {
        let candidate = SubscriptionCore.adopting(subscription)
        let taken = upstream.withLock { upstream in
            guard isAwaiting else { return false }
            state.store(1, ordering: .releasing)
            upstream = candidate
            return true
        }
        if !taken { candidate.cancel() }
        return taken
    }

    /// Asks the upstream for values, if there is one.
    @usableFromInline package borrowing func request(_ demand: Subscribers.Demand) { if demand != .none { pass(demand) } }
    /// Passes a request of the downstream's on, also one for nothing: the source is to judge.
    @usableFromInline package borrowing func pass(_ demand: Subscribers.Demand) { upstream.withLock { $0 }?.request(demand) }
    /// Ends because the upstream completed: lets go of the subscription. A completion before the subscription is none.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline package borrowing func finish() -> Bool { !isAwaiting && end().first }
    /// Ends and cancels the upstream.
    ///
    /// - Returns: Whether this call ended it.
    @usableFromInline @discardableResult package borrowing func cancel() -> Bool {
        let (first, subscription) = end()
        subscription?.cancel()
        return first
    }

    private borrowing func end() -> (first: Bool, subscription: SubscriptionCore?) {
        upstream.withLock { upstream in
            let first = state.exchange(2, ordering: .acquiringAndReleasing) != 2
            defer { upstream = nil }
            return (first, upstream)
        }
    }
}

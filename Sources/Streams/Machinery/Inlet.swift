import Synchronization

/// An operator's end towards an upstream: the subscription, guarded. It may be filled, asked and ended by different threads at
/// once. What is asked before the subscription is there is asked when it comes. It is never called with the lock held.
@usableFromInline package struct Inlet: ~Copyable {
    /// 0 before the subscription, if what comes before it is dropped; 1 when open; 2 after the end.
    @usableFromInline let state: Atomic<UInt8>
    @usableFromInline let guarded = Lock((upstream: SubscriptionCore?.none, early: Subscribers.Demand.none, isFilled: false))

    /// - Parameter isOpen: Whether values are taken that come before the subscription.
    @inlinable package init(isOpen: Bool = false) { state = Atomic(isOpen ? 1 : 0) }

    /// Whether values are not wanted: there is no subscription yet, or none any more.
    @inlinable package var isEnded: Bool { state.load(ordering: .acquiring) != 1 }
    /// Whether no subscription has come, and nobody has ended the wait for it.
    @usableFromInline var isAwaiting: Bool { state.load(ordering: .acquiring) == 0 }

    /// Whether a subscription has ever come.
    @usableFromInline var wasFilled: Bool { guarded.withLock { $0.isFilled } }

    /// Takes the subscription in, or cancels it if it is a second one or comes after the end; returns whether it was taken.
    @discardableResult @usableFromInline package borrowing func fill(_ subscription: any Subscription) -> Bool {
        let candidate = SubscriptionCore.adopting(subscription)
        let early = guarded.withLock { guarded -> Subscribers.Demand? in
            guard !guarded.isFilled, state.load(ordering: .relaxed) != 2 else { return nil }
            state.store(1, ordering: .releasing)
            (guarded.upstream, guarded.isFilled) = (candidate, true)
            return guarded.early
        }
        guard let early else {
            candidate.cancel()
            return false
        }
        if early != .none { candidate.request(early) }
        return true
    }

    /// Asks the upstream for values, now or when its subscription is there.
    @usableFromInline package borrowing func request(_ demand: Subscribers.Demand) { if demand != .none { pass(demand) } }

    /// Passes a request of the downstream's on, also one for nothing: the source is to judge.
    @usableFromInline package borrowing func pass(_ demand: Subscribers.Demand) {
        guarded.withLock { guarded in
            if !guarded.isFilled { guarded.early += demand }
            return guarded.upstream
        }?.request(demand)
    }

    /// Ends because the upstream completed, which it cannot before the subscription; returns whether this call ended it.
    @usableFromInline package borrowing func finish() -> Bool {
        if isAwaiting { return false }
        let (first, upstream) = end()
        discard(upstream)
        return first
    }

    /// Ends and cancels the upstream; returns whether this call ended it.
    @usableFromInline @discardableResult package borrowing func cancel() -> Bool {
        let (first, subscription) = end()
        subscription?.cancel()
        return first
    }

    /// Ends because the upstream has sent all that is wanted of it. One of ours is cancelled, so that it forgets the operator;
    /// anybody else's, having sent what it was asked for, is let go and no more, as in Combine.
    @usableFromInline borrowing func retire() {
        let upstream = end().upstream
        if !(upstream is ForeignSubscription) { upstream?.cancel() }
    }

    private borrowing func end() -> (first: Bool, upstream: SubscriptionCore?) {
        guarded.withLock { guarded in
            (state.exchange(2, ordering: .acquiringAndReleasing) != 2, guarded.upstream.take())
        }
    }
}

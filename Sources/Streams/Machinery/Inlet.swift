import Synchronization

/// An operator's connection to an upstream: it guards the subscription. Different threads may fill it, request and end it at the
/// same time. Demand that is requested before the subscription arrives is passed on when it does. The subscription is never
/// called with the lock held.
@usableFromInline package struct Inlet: ~Copyable {
    /// 0 before the subscription, if earlier values are dropped; 1 if open; 2 after the end.
    @usableFromInline let state: Atomic<UInt8>
    @usableFromInline let guarded = Lock((upstream: SubscriptionCore?.none, early: Subscribers.Demand.none, isFilled: false))

    /// Creates an empty inlet.
    ///
    /// - Parameter isOpen: Whether values are accepted that arrive before the subscription.
    @inlinable package init(isOpen: Bool = false) { state = Atomic(isOpen ? 1 : 0) }

    /// Whether values are dropped: after the end, and before the subscription unless the inlet was created open.
    @inlinable package var isEnded: Bool { state.load(ordering: .acquiring) != 1 }
    /// Whether the subscription is still awaited. Always false if the inlet was created open.
    @usableFromInline var isAwaiting: Bool { state.load(ordering: .acquiring) == 0 }

    /// Whether a subscription has ever been stored.
    @usableFromInline var wasFilled: Bool { guarded.withLock { $0.isFilled } }

    /// Stores the subscription, or cancels it if it is a second one or arrives after the end; returns whether it was stored.
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

    /// Requests values from the upstream, now or when its subscription arrives. Ignores a demand for none.
    @usableFromInline package borrowing func request(_ demand: Subscribers.Demand) { if demand != .none { pass(demand) } }

    /// Passes on a request of the downstream, even for no values: the source accepts or rejects that.
    @usableFromInline package borrowing func pass(_ demand: Subscribers.Demand) {
        guarded.withLock { guarded in
            if !guarded.isFilled { guarded.early += demand }
            return guarded.upstream
        }?.request(demand)
    }

    /// Ends because the upstream has completed; returns whether this call ended it. Before the subscription it has no effect,
    /// unless the inlet was created open.
    @usableFromInline package borrowing func finish() -> Bool {
        if isAwaiting { return false }
        let (first, upstream) = end()
        discard(upstream)
        return first
    }

    /// Ends and cancels the upstream; returns whether this call ended the inlet.
    @usableFromInline @discardableResult package borrowing func cancel() -> Bool {
        let (first, subscription) = end()
        subscription?.cancel()
        return first
    }

    /// Ends because the upstream has sent all that is wanted. A subscription of this module is cancelled, so that it releases the
    /// operator; any other, which has sent what was requested, is only released, as in Combine.
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

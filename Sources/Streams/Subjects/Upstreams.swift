import Synchronization

/// The subscriptions to the upstreams of a subject. When the subject ends, they are cancelled, and no more are accepted.
@usableFromInline struct Upstreams: ~Copyable {
    private let open = Lock<[SubscriptionCore]?>([])

    /// Adds a subscription; returns false if the subject has ended.
    @usableFromInline func append(_ upstream: SubscriptionCore) -> Bool {
        // Spent subscriptions are released outside the lock.
        let (isOpen, before) = open.withLock { open in
            let before = open
            open = open?.filter { !$0.isSpent }
            open?.append(upstream)
            return (open != nil, before)
        }
        return withExtendedLifetime(before) { isOpen }
    }

    @usableFromInline func request() { for upstream in open.withLock({ $0 ?? [] }) { upstream.request(.unlimited) } }
    @usableFromInline func end() { for upstream in open.withLock({ $0.take() ?? [] }) { upstream.cancel() } }
}

import Synchronization

/// The subscriptions that feed a subject, until it ends: then they are cancelled, and none is wanted any more.
@usableFromInline struct Upstreams: ~Copyable {
    private let open = Lock<[SubscriptionCore]?>([])

    @usableFromInline func append(_ upstream: SubscriptionCore) -> Bool {
        // Those that are spent are let go of outside the lock.
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

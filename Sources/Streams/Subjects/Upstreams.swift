import Synchronization

/// The subscriptions that feed a subject, until it ends: then they are cancelled, and none is wanted any more.
@usableFromInline struct Upstreams: ~Copyable {
    private let open = Lock<[SubscriptionCore]?>([])
    @usableFromInline func append(_ upstream: SubscriptionCore) -> Bool {
        open.withLock { open in
            open?.removeAll(where: \.isSpent)
            open?.append(upstream)
            return open != nil
        }
    }
    @usableFromInline func request() { for upstream in open.withLock({ $0 ?? [] }) { upstream.request(.unlimited) } }
    @usableFromInline func end() { for upstream in open.withLock({ $0.take() ?? [] }) { upstream.cancel() } }
}

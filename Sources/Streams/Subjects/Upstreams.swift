import Synchronization

/// The subscriptions to the upstreams of a subject. When the subject ends, they are cancelled, and no more are accepted.
@usableFromInline struct Upstreams: ~Copyable {
    /// `room`: the number of members at which spent ones are removed. It is twice the number of those that were left the last
    /// time, so that adding one takes constant time on average.
    private let open = Lock<(members: [SubscriptionCore], room: Int)?>(([], 0))

    /// Adds a subscription; returns false if the subject has ended.
    @usableFromInline func append(_ upstream: SubscriptionCore) -> Bool {
        // Spent subscriptions are released outside the lock.
        let (isOpen, before) = open.withLock { open in
            var before: [SubscriptionCore] = []
            if let (members, room) = open, members.count >= room {
                before = members
                let left = members.filter { !$0.isSpent }
                open = (left, 2 * left.count)
            }
            open?.members.append(upstream)
            return (open != nil, before)
        }
        return withExtendedLifetime(before) { isOpen }
    }

    @usableFromInline func request() { for upstream in open.withLock({ $0?.members ?? [] }) { upstream.request(.unlimited) } }
    @usableFromInline func end() { for upstream in open.withLock({ $0.take()?.members ?? [] }) { upstream.cancel() } }
}

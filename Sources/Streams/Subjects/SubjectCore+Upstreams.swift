import Synchronization

// What feeds a subject that is itself used as a subscriber.
extension SubjectCore {
    @usableFromInline func attach(upstream subscription: any Subscription, waitsForDemand: Bool) {
        let core = SubscriptionCore.adopting(subscription)
        let isWanted = guarded.withLock { guarded in
            guard guarded.completion == nil else { return false }
            guarded.upstreams.removeAll(where: \.isSpent)
            guarded.upstreams.append(core)
            return true
        }
        guard isWanted else { return core.cancel() }
        if !waitsForDemand || hasDemand.load(ordering: .acquiring) { core.request(.unlimited) }
    }

    @inlinable func demandArrived() {
        if !hasDemand.load(ordering: .relaxed) { firstDemandArrived() }
    }

    @usableFromInline func firstDemandArrived() {
        guard !hasDemand.exchange(true, ordering: .acquiringAndReleasing), !keepsCurrent else { return }
        for upstream in guarded.withLock({ $0.upstreams }) { upstream.request(.unlimited) }
    }

    @usableFromInline func cancelUpstreams() {
        let upstreams = guarded.withLock { guarded in
            defer { guarded.upstreams = [] }
            return guarded.upstreams
        }
        for upstream in upstreams { upstream.cancel() }
    }
}

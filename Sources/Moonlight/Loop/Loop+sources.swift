import Streams
import Synchronization

// The subscriptions of a loop, which are cancelled with it.
extension Loop {
    /// Stores a subscription, so that it is cancelled with the loop.
    ///
    /// - Returns: False if the loop has ended; the stream must then not be subscribed to.
    @inlinable
    func remember(_ subscriber: EffectSubscriber<State, Event, Effect, Environment>) -> Bool {
        sources.withLock { sources in
            guard let place = sources.add(subscriber) else { return false }
            subscriber.place = place
            return true
        }
    }

    @inlinable
    func remember(_ subscriber: EventSubscriber<State, Event, Effect, Environment>) -> Bool {
        sources.withLock { $0.add(subscriber) != nil }
    }

    /// Removes a stream of effects that has ended. Only the owner calls this.
    @inlinable
    func forget(_ subscriber: EffectSubscriber<State, Event, Effect, Environment>) {
        liveEffects -= 1
        context.counters?.note(liveEffects: liveEffects)
        if let hook, let work = subscriber.work.take() { hook.ended(work) }
        subscriber.leaveScope()
        subscriber.ownTurn = Turn()
        sources.withLock { $0.remove(at: subscriber.place) }
        releaseMark()
        if liveEffects == hook?.keptStreams ?? 0, context.watchesQuiet.load(ordering: .relaxed), queueLook() {
            post(.lookForQuiet)
        }
    }

    @inlinable
    func cancelSources() {
        for member in sources.withLock({ $0.close() }) { member?.cancel() }
    }
}

/// The subscriptions of a loop, which must be cancelled with it. A plain value; the loop keeps it behind a lock.
@usableFromInline
struct LoopSources: Sendable {
    @usableFromInline typealias Member = any Cancellable & AnyObject & Sendable

    /// Nil once the loop has ended, so that nothing may be added.
    @usableFromInline var members: [Member?]? = []
    @usableFromInline var free: [Int] = []

    @inlinable
    init() {}

    /// Adds a subscription.
    ///
    /// - Returns: Its place, for `remove(at:)`; nil if the loop has ended.
    @inlinable
    mutating func add(_ member: Member) -> Int? {
        guard let count = members?.count else { return nil }
        if let place = free.popLast() {
            members![place] = member
            return place
        }
        members!.append(member)
        return count
    }

    /// Removes the subscription at a place.
    @inlinable
    mutating func remove(at place: Int) {
        guard let count = members?.count else { return }
        members![place] = nil
        free.append(place)
        // Releases the memory of a burst.
        if free.count == count, free.count > 64 {
            members = []
            free = []
        }
    }

    /// Removes and returns all subscriptions. From now on, none can be added.
    @inlinable
    mutating func close() -> [Member?] {
        let all = members ?? []
        members = nil
        free = []
        return all
    }
}

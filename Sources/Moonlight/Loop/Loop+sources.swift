import Streams
import Synchronization

// The streams that a loop subscribes to, which are cancelled with it.
extension Loop {
    /// Stores a subscription, so that it is cancelled with the loop.
    ///
    /// - Returns: Whether the loop goes on; if not, the stream must not be subscribed to.
    @inlinable
    func remember(_ subscriber: EffectSubscriber<State, Event, Effect, Environment>) -> Bool {
        sources.withLock { sources in
            guard !sources.isClosed else { return false }
            subscriber.place = sources.add(subscriber)
            return true
        }
    }

    @inlinable
    func remember(_ subscriber: EventSubscriber<State, Event, Effect, Environment>) -> Bool {
        sources.withLock { sources in
            guard !sources.isClosed else { return false }
            _ = sources.add(subscriber)
            return true
        }
    }

    /// Removes a stream of effects that has ended. Only the owner calls this.
    @inlinable
    func forget(_ subscriber: EffectSubscriber<State, Event, Effect, Environment>) {
        liveEffects -= 1
        context.counters?.note(liveEffects: liveEffects)
        if let gate = instruments?.gate, let work = gate.streams.removeValue(forKey: ObjectIdentifier(subscriber)) {
            gate.log.noteEnd(of: work)
        }
        subscriber.leaveScope()
        subscriber.ownTrace = Trace()
        sources.withLock { $0.remove(at: subscriber.place) }
        releaseMark()
        if liveEffects == instruments?.gate?.heldStreams ?? 0, context.watchesQuiet.load(ordering: .relaxed), queueLook() {
            post(.lookForQuiet)
        }
    }

    @inlinable
    func cancelSources() {
        let members = sources.withLock { sources in
            sources.isClosed = true
            defer { sources.members = [] }
            return sources.members
        }
        for member in members { member?.cancel() }
    }
}

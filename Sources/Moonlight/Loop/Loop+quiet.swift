import Streams
import Synchronization

// Whether anything is in flight, and the end that comes when nothing is.
extension Loop {
    /// Whether nothing is in flight just now, nor waits. Safe from any thread; from inside the loop it is never so.
    var isQuiet: Bool {
        if cancellation.isOver { return true }
        return streams.isEmpty && hasNothingOnItsWay && mailbox.isIdle
    }

    /// Whether no reaction runs, and nothing that one has sent is on its way here.
    var hasNothingOnItsWay: Bool { context.transits.load(ordering: .acquiring) == 0 && context.reactions.isEmpty }

    /// Calls when nothing is in flight: at once if the loop has ended.
    func whenQuiet(_ tell: @escaping @Sendable () -> Void) {
        context.watchesQuiet.store(true, ordering: .releasing)
        context.service(QuietWatch.self).wait(for: self, tell)
    }

    @usableFromInline
    func look() { if queueLook() { take(.lookForQuiet) } }

    /// - Returns: Whether it is the caller's to make the loop look.
    @usableFromInline
    func queueLook() -> Bool { !context.isLookQueued.exchange(true, ordering: .acquiringAndReleasing) }

    /// Looks whether nothing is in flight; if something is, its end makes the loop look again. The owner's.
    @usableFromInline
    func lookForQuiet() {
        context.isLookQueued.store(false, ordering: .releasing)
        guard program != nil, liveEffects == 0, hasNothingOnItsWay else { return }
        // What waits in the mailbox comes first.
        guard batch.isEmpty, !mailbox.hasMail, instruments?.inbox?.isEmpty ?? true else {
            if queueLook() { post(.lookForQuiet) }
            return
        }
        if cancellation.isDraining { end() } else { context.service(QuietWatch.self).tell() }
    }

    /// From now on events from outside are refused, and the loop ends when nothing is in flight. The owner's.
    @usableFromInline
    func beginDraining() {
        guard program != nil, cancellation.beginDraining() else { return }
        // What follows from something is told from what comes from outside by the trace.
        keepTraces()
        context.watchesQuiet.store(true, ordering: .releasing)
        let watch = context.service(QuietWatch.self)
        watch.wait(for: self)
        watch.draining.send(true)
    }

    /// Does something that shows a state to feedback. Of a loop that is being drained, what feedback answers is known to be an
    /// answer even if another thread brings it.
    @inlinable @inline(__always)
    func inTransit(_ show: () -> Void) {
        if cancellation.isDraining { DeliveryOrigin.with(Transit(context), show) } else { show() }
    }

    /// The streams of effects that are live, with what is known of each. Safe from any thread.
    func liveStreams() -> [(stream: EffectOrigin, info: LiveWork)] {
        streams.map { ($0, $0.info()) }
    }

    private var streams: [EffectSubscriber<State, Event, Effect, Environment>] {
        sources.withLock { $0.members }.compactMap { $0 as? EffectSubscriber<State, Event, Effect, Environment> }
    }
}

import Streams
import Synchronization

// Quiet: nothing is in flight. Draining ends the loop then.
extension Loop {
    /// True if nothing that may lead to an event of this loop is in transit. A running reaction always is.
    var hasNothingOnItsWay: Bool { context.transits.load(ordering: .acquiring) == 0 }

    @usableFromInline
    func look() { if queueLook() { take(.work { $0.lookForQuiet() }) } }

    /// Marks a check for quiet as queued.
    ///
    /// - Returns: Whether the caller must post that check; false if one is queued already.
    @usableFromInline
    func queueLook() -> Bool { !context.isLookQueued.exchange(true, ordering: .acquiringAndReleasing) }

    /// Checks whether nothing is in flight. If so, ends a loop that is being drained, and notifies the waiting callers of any
    /// other. If not, the end of the work in flight causes another check. Only the owner calls this.
    @usableFromInline
    func lookForQuiet() {
        context.isLookQueued.store(false, ordering: .releasing)
        endIfStuck()
        guard program != nil, liveEffects == 0, hasNothingOnItsWay else { return }
        // Items in the mailbox are handled first, and then this check is repeated.
        guard batch.isEmpty, !mailbox.hasMail, instruments?.inbox?.isEmpty ?? true else {
            if queueLook() { post(.work { $0.lookForQuiet() }) }
            return
        }
        if context.isDraining { end() } else { context.endQuietWaits() }
    }

    /// Begins to drain the loop: from now on, it refuses events from outside, and ends when nothing is in flight. Only the owner
    /// calls this.
    @usableFromInline
    func beginDraining() {
        guard program != nil, context.beginDraining() else { return }
        context.watchQuiet(of: self)
        look()
        context.service(Draining.self).begins.send(true)
    }

    /// Calls `show`, which sends a state to feedback. If the loop is being drained, events that feedback sends in answer are
    /// marked as such, so that they are recognized even if another thread sends them.
    @inlinable @inline(__always)
    func inTransit(_ show: () -> Void) {
        if context.isDraining { WorkContext.with(origin: Transit(context), show) } else { show() }
    }
}

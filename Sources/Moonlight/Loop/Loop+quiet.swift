import Streams
import Synchronization

// Quiet: nothing is in flight. Draining ends the loop then.
extension Loop {
    /// True if nothing that may lead to an event of this loop is in transit. A running reaction always is.
    @usableFromInline var hasNothingOnItsWay: Bool { context.transits.load(ordering: .acquiring) == 0 }

    @usableFromInline
    func look() { take(.work { _ in }) }

    /// Ends a loop in which nothing can happen any more, and notifies the callers that wait for quiet, if nothing is in flight. The
    /// owner calls this whenever the mailbox is empty.
    @inlinable
    func lookForQuiet() {
        guard program != nil else { return }
        if isIdleForGood { return endIfEmpty() }
        guard context.watchesQuiet.load(ordering: .acquiring) else { return }
        if context.isDraining, let hook, hook.isStuck(liveStreams: liveEffects) { return cancel() }
        guard liveEffects == 0, hasNothingOnItsWay else { return }
        if context.isDraining { return endIfEmpty() }
        context.endQuietWaits { !mailbox.hasMail && instruments?.inbox?.isEmpty ?? true }
    }

    /// Ends the loop, unless an event has arrived meanwhile.
    ///
    ///     thread A (owner)            thread B
    ///     ----------------            --------
    ///     sees no mail
    ///                                 sees that the loop is running
    ///     closes the mailbox
    ///                                 posts an event: refused
    ///     ends the loop
    ///
    /// If B posts its event first, A fails to close the mailbox, and handles the event.
    @inlinable
    func endIfEmpty() {
        if mailbox.close(if: { instruments?.inbox?.closeIfEmpty() ?? true }) { end() }
    }

    /// Begins to drain the loop: from now on, it refuses events from outside, and ends when nothing is in flight. Only the owner
    /// calls this.
    func beginDraining() {
        guard program != nil, context.beginDraining() else { return }
        context.watchQuiet(of: self)
        context.service(Draining.self).begins.send()
    }

    /// Brings an observer up to date, in a turn: events that feedback sends at once in answer to a state are the loop's own, whether
    /// the observer receives the state now or has received it when it was new.
    @inlinable
    func update(_ observer: SubjectMember<State, Never>) {
        begin(Turn())
        inTransit { observer.updateByDriver() }
        endTurn()
    }

    /// Calls `show`, which sends a state to feedback. If the loop is being drained, events that feedback sends in answer are
    /// marked as such, so that they are recognized even if another thread sends them.
    @inlinable @inline(__always)
    func inTransit(_ show: () -> Void) {
        if context.isDraining { WorkContext.with(origin: Transit(context), show) } else { show() }
    }
}

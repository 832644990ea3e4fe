import Streams
import Synchronization

// The mailbox of a loop, and the handling of its items.
extension Loop {
    /// Accepts an item: handles it now if the loop is idle and the caller is on its actor, and otherwise posts it.
    @inlinable
    func take(_ item: Item) {
        if runIfIdle({ handle(item) }) { return }
        post(item)
    }

    /// Runs a closure as the owner, if the loop is idle, and then handles the resulting items.
    ///
    /// - Parameter work: The closure.
    /// - Returns: False, without calling it, if the loop is not idle.
    @inlinable @inline(__always)
    func runIfIdle(_ work: () -> Void) -> Bool {
        guard isHome, mailbox.enter() else { return false }
        instruments?.beginRun()
        work()
        if isIdleForGood || !mailbox.leave() { runMail(.own) }
        return true
    }

    /// Posts an item. If this makes the caller the mailbox's owner, it handles the items or hands them over.
    ///
    /// - Parameter isForHandover: Passed on if not even the caller may handle the item.
    @inlinable
    func post(_ item: Item, forHandover isForHandover: Bool = false) {
        guard mailbox.post(item, forHandover: isForHandover) else { return }
        instruments?.beginRun()
        if isHome { runMail(.own) } else { handOver() }
    }

    /// Hands the remaining items over to a system queue or to the home actor. Only the owner calls this.
    @inlinable
    func handOver() {
        guard let home else { return Handover.run { self.specialized(self, nil) } }
        // Without the loop's types, which a closure that is isolated to an actor must not capture.
        let loop: any AnyLoop = self
        home.enqueue { loop.inherit() }
    }

    @usableFromInline
    func inherit() { specialized(self, nil) }

    /// True if the caller may run the loop: it has no home actor, or the caller certainly runs on that actor.
    @inlinable @inline(__always)
    var isHome: Bool { home == nil || isHomeMain && MainQueue.isCurrent }

    /// Handles the items that this thread may handle, and leaves the mailbox. Only the owner calls this.
    @inlinable
    func runMail(_ turn: Mailbox<Item>.Turn) {
        var turn = turn
        var rounds = 0
        repeat {
            rounds += 1
            if rounds == RunawayReport.manyRounds { RunawayReport.warn(of: Event.self, isLimited: instruments?.steps != nil) }
            guard mailbox.handleMail(&turn, &batch, isOwn: { isOwn($0) }, { handle($0) }) else { return handOver() }
            // No more events can arrive, and no effect is live.
            if isIdleForGood, !mailbox.hasMail { end() }
        } while !mailbox.leave()
    }

    /// Returns whether an item that this thread posted is still its own: the event of a mark of the inbox may by now be another
    /// thread's.
    @inlinable
    func isOwn(_ item: Item) -> Bool {
        if case .inboxHasMail = item { instruments?.inbox?.isNextOwn ?? true } else { true }
    }

    @inlinable @inline(__always)
    var lentProgram: Unmanaged<Program>? { program.map { .passUnretained($0) } }

    @inlinable @inline(__always)
    var lentStates: Unmanaged<DrivenSubject<State>>? { states.map { .passUnretained($0) } }

    @inlinable @inline(__always)
    var isIdleForGood: Bool { openEventStreams == 0 && liveEffects == 0 }

    @inlinable
    func handle(_ item: Item) {
        switch item {
        case .event(let event, let turn): handle(event, turn)
        case .effect(let effect, let origin): if !origin.isCancelled { apply(effect, from: origin) }
        case .effectsEnded(let subscriber):
            forget(subscriber)
            if let hook { endTurn(of: hook) }
        case .jobEnded(let job): job.leaveRegister()
        case .jobToEnd(let job): job.endAtHome()
        case .eventsEnded: openEventStreams -= 1
        case .observer(let member): member.updateByDriver()
        case .cancelled: end()
        case .drain: beginDraining()
        case .lookForQuiet: lookForQuiet()
        case .hook(let isInTurn): goOn(isInTurn: isInTurn)
        case .inboxHasMail: takeFromInbox()
        case .inboxHasNotes: takeNotesFromInbox()
        case .record(let step, let cause):
            // Once the loop is cancelled, only the end is recorded.
            guard !context.isCancelled || step.isOfTheEnd else { return }
            journal?.beginItem()
            record(step, cause: cause)
        }
    }
}

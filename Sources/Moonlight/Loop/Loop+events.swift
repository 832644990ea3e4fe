import Streams
import Synchronization

// How events come in.
extension Loop {
    /// Takes an event that feedback has sent.
    ///
    /// A loop that is being drained takes what follows from something in flight: what feedback answers to a state, and what
    /// reactions send. What other streams send of their own accord, as timers do, it does not.
    ///
    /// - Parameter isAnswer: Whether it is known to be such an answer, though perhaps from another thread.
    @inlinable
    func take(event: Event, isAnswer: Bool) {
        if instruments != nil || isTracing {
            let isHandledHere = isHandledHere
            if cancellation.isDraining, !isHandledHere, !isAnswer { return context.tellRefused(event, .draining) }
            _ = takeTraced(event, from: isHandledHere ? .loop : .outside)
        } else {
            take(.event(event))
        }
    }

    /// Takes an event that somebody has sent by hand.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @inlinable
    func send(_ event: Event) -> Bool {
        if instruments != nil || isTracing { return takeTraced(event, from: .outside) }
        take(.event(event))
        return true
    }

    /// Takes an event of somebody who waits until it has settled.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @usableFromInline
    func send(_ event: Event, awaitedBy asker: Settlement, hasRoom: Bool) -> Bool {
        takeTraced(event, from: hasRoom ? .hasRoom : .outside, awaitedBy: asker)
    }

    /// Takes an event, with what it comes from.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @inlinable
    func takeTraced(_ event: Event, from sender: InboxSender, awaitedBy asker: Settlement? = nil) -> Bool {
        var trace =
            traceOfCaller.map { Trace(cause: $0.cause, settlement: $0.settlement) } ?? Trace(isFromOutside: true)
        trace.context = instruments?.captureContext()
        if let asker {
            trace.add(asker: asker)
            trace.isFromOutside = true
        }
        // An idle loop handles it here and now.
        if isHome, mailbox.enter() {
            instruments?.beginRun()
            var isTaken = true
            if let inbox = instruments?.inbox, sender == .hasRoom || isHeldBack || !inbox.isEmpty {
                beginWait(&trace)
                isTaken = offer(event, trace, to: inbox, from: sender)
            } else {
                handleTraced(event, trace)
            }
            if isIdleForGood || !mailbox.leave() { runMail(.own) }
            return isTaken
        }
        var isTaken = true
        beginWait(&trace)
        if let inbox = instruments?.inbox {
            isTaken = offer(event, trace, to: inbox, from: sender)
        } else {
            post(.tracedEvent(event, trace))
        }
        holdUp()
        return isTaken
    }

    /// Puts an event into the inbox.
    ///
    /// - Returns: Whether it was taken.
    @inlinable
    func offer(_ event: Event, _ trace: Trace, to inbox: Inbox<Event>, from sender: InboxSender) -> Bool {
        let answer = inbox.offer(event, trace, from: sender)
        for _ in 0..<answer.marks { post(.inboxHasMail) }
        switch answer.offer {
        case .queued: break
        case .folded:
            endWait(trace)
            note(folded: event, in: inbox)
        case .queuedForOldest(let oldest, let itsTrace):
            endWait(itsTrace)
            itsTrace.refuse(.overflow)
            context.tellRefused(oldest, .overflow)
            note(lost: oldest, in: inbox)
        case .full:
            endWait(trace)
            // Who waits for room has lost nothing.
            if trace.asker == nil || !inbox.suspends {
                context.tellRefused(event, .overflow)
                note(lost: event, in: inbox)
            }
            return false
        case .closed: trace.refuse(.ended)
        }
        return true
    }

    /// An event is left to wait.
    @inlinable
    func beginWait(_ trace: inout Trace) {
        guard let instruments, instruments.isTimed else { return }
        trace.sent = instruments.read()
        instruments.counters?.beginWait()
    }

    /// It waits no longer.
    @inlinable
    func endWait(_ trace: Trace) {
        if trace.sent != .zero { instruments?.counters?.endWait() }
    }

    @inlinable
    func note(folded event: Event, in inbox: Inbox<Event>) {
        guard instruments?.journal != nil else { return }
        let note = inbox.line.withLock { UncheckedTransfer($0.note(folded: event)) }.value
        if note.isFirst { post(.inboxHasNotes) }
    }

    @inlinable
    func note(lost event: Event, in inbox: Inbox<Event>) {
        guard instruments?.journal != nil else { return }
        let note = inbox.line.withLock { UncheckedTransfer($0.note(lost: event)) }.value
        if note.isFirst { post(.inboxHasNotes) }
    }

    /// Handles the next event of the inbox, unless as many effects are live as may be.
    @inlinable
    func takeFromInbox() {
        guard let instruments else { return }
        if isHeldBack {
            instruments.heldMarks += 1
            return
        }
        if let (event, trace) = instruments.inbox?.next() { handleTraced(event, trace) }
        releaseMark()
    }

    /// Whether as many effects are live as may be. Those do not count that await an event of this loop, which would wait for them. The
    /// owner's to ask.
    @inlinable var isHeldBack: Bool {
        guard let limit = instruments?.effectLimit else { return false }
        return liveEffects - context.awaitingEffects.load(ordering: .acquiring) >= limit
    }

    /// An effect awaits an event of this loop, until ``LoopContext/endAwaiting()``. There may be room for events now.
    func beginAwaiting() {
        context.awaitingEffects.wrappingAdd(1, ordering: .releasing)
        if instruments?.effectLimit != nil { take(.inboxHasMail) }
    }

    /// There may be room for another event that was held back. One at a time: it may start an effect.
    @inlinable
    func releaseMark() {
        guard let instruments, instruments.heldMarks > 0, !isHeldBack else { return }
        instruments.heldMarks -= 1
        post(.inboxHasMail)
    }

    /// Writes down what the inbox has folded and lost.
    @inlinable
    func takeNotesFromInbox() {
        guard let inbox = instruments?.inbox else { return }
        let (folded, lost) = inbox.line.withLock { UncheckedTransfer($0.takeNotes()) }.value
        if let folded { record(.coalesced(folded.last, count: folded.count), cause: nil) }
        if let lost { record(.overflowed(lost.last, count: lost.count), cause: nil) }
    }
}

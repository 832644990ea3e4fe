import Streams
import Synchronization

// How events enter the loop.
extension Loop {
    /// Takes an event that a feedback stream has sent.
    ///
    /// A loop that is being drained takes only events that follow from something in flight: what feedback sends at once in
    /// answer to a state, and what reactions send. It refuses what other streams send of their own accord, such as the events
    /// of a timer.
    ///
    /// - Parameter isAnswer: Whether the event is known to follow from something in flight, even if another thread sends it.
    @inlinable
    func take(event: Event, isAnswer: Bool) {
        if instruments != nil || isTracing {
            let isHandledHere = isHandledHere
            if cancellation.isDraining, !isHandledHere, !isAnswer { return context.tellRefused(event, .draining) }
            _ = takeTraced(event, from: isHandledHere ? .loop : .outside)
        } else {
            take(event)
        }
    }

    /// Takes an event from a caller of `send`.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @inlinable
    func send(_ event: Event) -> Bool {
        if instruments != nil || isTracing { return takeTraced(event, from: .outside) }
        take(event)
        return true
    }

    /// Takes an event, with a trace of what caused it.
    ///
    /// - Returns: Whether it was taken; if not, the inbox is full.
    @inlinable
    func takeTraced(_ event: Event, from sender: InboxSender, awaitedBy asker: Settlement? = nil) -> Bool {
        var trace =
            traceOfCaller.map { Trace(cause: $0.cause, settlement: $0.settlement) } ?? Trace(isFromOutside: true)
        trace.context = instruments?.captureContext()
        if let gate { trace.errand = gate.log.errandOfCaller }
        if let asker {
            trace.add(asker: asker)
            trace.isFromOutside = true
        }
        // An idle loop handles the event here and now, unless it must go through the inbox.
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

    /// Puts an event into the inbox, and reports what is folded, dropped or refused.
    ///
    /// - Returns: Whether the event was taken.
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
            // A sender that waits for room has lost nothing.
            if trace.asker == nil || !inbox.suspends {
                context.tellRefused(event, .overflow)
                note(lost: event, in: inbox)
            }
            return false
        case .closed: trace.refuse(.ended)
        }
        return true
    }

    /// Notes that an event begins to wait.
    @inlinable
    func beginWait(_ trace: inout Trace) {
        guard let journal = instruments?.journal, journal.isTimed else { return }
        trace.sent = journal.read()
        journal.counters?.beginWait()
    }

    /// Notes that an event waits no longer.
    @inlinable
    func endWait(_ trace: Trace) {
        if trace.sent != .zero { instruments?.journal?.counters?.endWait() }
    }

    @inlinable
    func note(folded event: Event, in inbox: Inbox<Event>) {
        guard isRecording else { return }
        let note = inbox.line.withLock { UncheckedTransfer($0.note(folded: event)) }.value
        if note.isFirst { post(.inboxHasNotes) }
    }

    @inlinable
    func note(lost event: Event, in inbox: Inbox<Event>) {
        guard isRecording else { return }
        let note = inbox.line.withLock { UncheckedTransfer($0.note(lost: event)) }.value
        if note.isFirst { post(.inboxHasNotes) }
    }

    /// Handles the next event of the inbox. If none may be handled now, keeps its mark for later instead.
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

    /// Whether the gate holds streams back, or the limit of live effects is reached. Effects that await an event of this loop do not
    /// count, because that event would wait for them. Only the owner calls this.
    @inlinable var isHeldBack: Bool {
        if let gate, gate.isHoldingStreams { return true }
        guard let limit = instruments?.effectLimit else { return false }
        return liveEffects - Int(context.awaitingEffects.load(ordering: .acquiring)) >= limit
    }

    /// Posts a mark that was kept back, if an event may be handled now. One at a time, since its event may start an
    /// effect.
    @inlinable
    func releaseMark() {
        guard let instruments, instruments.heldMarks > 0, !isHeldBack else { return }
        instruments.heldMarks -= 1
        post(.inboxHasMail)
    }

    /// Writes records of the events that the inbox has folded and lost.
    @inlinable
    func takeNotesFromInbox() {
        guard let inbox = instruments?.inbox else { return }
        let (folded, lost) = inbox.line.withLock { UncheckedTransfer($0.takeNotes()) }.value
        if let folded { record(.coalesced(folded.last, count: folded.count), cause: nil) }
        if let lost { record(.overflowed(lost.last, count: lost.count), cause: nil) }
    }
}

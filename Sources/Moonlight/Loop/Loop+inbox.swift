import Streams
import Synchronization

// A loop whose options bound or coalesce the waiting events.
extension Loop {
    /// Puts an event into the inbox, and reports coalesced, dropped and refused events.
    ///
    /// - Returns: Whether the event was accepted.
    @inlinable
    func offer(_ event: Event, _ turn: Turn, to inbox: Inbox<Event>, from sender: InboxSender) -> Bool {
        var turn = turn
        beginWait(&turn)
        let answer = inbox.offer(event, turn, from: sender)
        for _ in 0..<answer.marks { post(.inboxHasMail) }
        switch answer.offer {
        case .queued: break
        case .folded:
            endWait(turn)
            note(event, isLost: false, in: inbox)
        case .queuedForOldest(let oldest, let itsTurn):
            endWait(itsTurn)
            itsTurn.refuse(.overflow)
            context.noteRefused(oldest, .overflow)
            note(oldest, isLost: true, in: inbox)
        case .full:
            endWait(turn)
            // A sender that waits for room has lost no event.
            if turn.asker == nil || !inbox.suspends {
                context.noteRefused(event, .overflow)
                note(event, isLost: true, in: inbox)
            }
            return false
        case .closed: turn.refuse(.ended)
        }
        return true
    }

    @inlinable
    func note(_ event: Event, isLost: Bool, in inbox: Inbox<Event>) {
        guard isRecording else { return }
        let note = inbox.line.withLock { UncheckedTransfer($0.note(event, isLost: isLost)) }.value
        if note.isFirst { post(.inboxHasNotes) }
    }

    /// Handles the next event of the inbox. If none may be handled now, keeps the mark for later.
    @inlinable
    func takeFromInbox() {
        guard let instruments else { return }
        if isHeldBack {
            instruments.heldMarks += 1
            return
        }
        if let (event, turn) = instruments.inbox?.next() { handle(event, turn) }
        releaseMark()
    }

    /// True if the hook holds events back, or the limit of live effects is reached. Effects that await an event of this loop do
    /// not count, because that event would wait for them. Only the owner calls this.
    @inlinable var isHeldBack: Bool {
        if let hook, hook.keepsEvents { return true }
        guard let limit = instruments?.effectLimit else { return false }
        return liveEffects - Int(context.awaitingEffects.load(ordering: .acquiring)) >= limit
    }

    /// Posts a mark that was held back, if an event may be handled now. One at a time, since its event may start an effect.
    @inlinable
    func releaseMark() {
        guard let instruments, instruments.heldMarks > 0, !isHeldBack else { return }
        instruments.heldMarks -= 1
        post(.inboxHasMail)
    }

    /// Writes records of the events that the inbox has coalesced and lost.
    @inlinable
    func takeNotesFromInbox() {
        guard let inbox = instruments?.inbox else { return }
        let (folded, lost) = inbox.line.withLock { UncheckedTransfer($0.takeNotes()) }.value
        if let folded { record(.coalesced(folded.last, count: folded.count), cause: nil) }
        if let lost { record(.overflowed(lost.last, count: lost.count), cause: nil) }
    }
}

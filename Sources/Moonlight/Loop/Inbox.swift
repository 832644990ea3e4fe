import Streams
import Synchronization

/// The events that wait for a loop whose options bound or coalesce them.
///
/// The loop's mailbox has a mark for each event, so that events keep their place among effects, and the mailbox does not outgrow
/// the inbox. A new event for which the oldest is dropped gets no mark: it inherits the last one, and the others move up.
@usableFromInline
final class Inbox<Event>: @unchecked Sendable {
    // Sound: the queue is behind its lock. The user's `coalesce` runs without the lock: its result replaces the last event only if
    // that is still waiting, and still the same.
    @usableFromInline let line: Lock<InboxLine<Event>>
    @usableFromInline let coalesce: ((Event, Event) -> Event?)?
    /// True if a sender that can suspend waits when there is no room.
    @usableFromInline let suspends: Bool

    @inlinable
    init(_ bound: InboxBound, _ coalesce: ((Event, Event) -> Event?)?) {
        line = Lock(InboxLine(bound))
        self.coalesce = coalesce
        suspends = if case .suspend = bound { true } else { false }
    }

    @inlinable var isEmpty: Bool { line.withLock { $0.isEmpty } }

    /// True if the calling thread has sent the next event since it became the owner of the loop's mailbox, or if there is none.
    @inlinable var isNextOwn: Bool {
        let thread = currentThread()
        return line.withLock { $0.nextSender ?? thread } == thread
    }

    /// Records that the caller has become the owner of the loop's mailbox. Events that wait already are not its own, even if its
    /// thread sent them: a held-back event outlasts the run of the loop in which it was sent, and the thread may execute another
    /// task by now.
    ///
    /// - Returns: Whether there are such events.
    @inlinable
    func disown() -> Bool {
        line.withLock { line in
            line.disowned = line.numbers
            return !line.isEmpty
        }
    }

    /// Offers an event: coalesces it with the last waiting one, queues it, or refuses it.
    @inlinable
    func offer(_ event: Event, _ turn: Turn, from sender: InboxSender) -> InboxLine<Event>.Offer {
        if let coalesce, fold(event, turn, from: sender, coalesce) {
            if sender == .hasRoom { giveRoomBack() }
            return .folded
        }
        return line.withLock { $0.offer(event, turn, from: sender) }
    }

    /// Coalesces an event with the last waiting one, if `coalesce` returns an event.
    ///
    /// - Returns: Whether they were coalesced.
    @inlinable
    func fold(_ event: Event, _ turn: Turn, from sender: InboxSender, _ coalesce: (Event, Event) -> Event?) -> Bool {
        // An event with metadata is not coalesced.
        if turn.note != nil { return false }
        // If the last event has left the queue meanwhile, or is no longer the last, the one that is the last now is tried.
        while let last = line.withLock({ $0.last }) {
            guard let folded = coalesce(last.event, event) else { return false }
            if line.withLock({ $0.replace(last.number, by: folded, turn, from: sender) }) != nil {
                return true
            }
        }
        return false
    }

    /// Removes and returns the next event; nil if there is none.
    @inlinable
    func next() -> (event: Event, turn: Turn)? {
        let (entry, admitted) = line.withLock { line in
            let entry = line.pop()
            return (UncheckedTransfer(entry), entry == nil ? nil : line.admitNext())
        }
        admit(admitted)
        return entry.value.map { ($0.event, $0.turn) }
    }

    // MARK: Senders that wait for room

    /// Resumes a sender for which room is reserved or, if its task was cancelled, the next one.
    @usableFromInline
    func admit(_ waiter: Settlement.Outcome?) {
        var next = waiter
        while let waiter = next, !waiter.end() { next = line.withLock { $0.giveRoomBack() } }
    }

    /// Releases room that is reserved for the caller and not needed. The next sender that waits gets it.
    @usableFromInline
    func giveRoomBack() { admit(line.withLock { $0.giveRoomBack() }) }

    /// Waits for room, which is then reserved for the caller: it must offer its event as ``InboxSender/hasRoom``.
    ///
    /// - Returns: True if there is room, or the loop has ended; false if the task was cancelled.
    func room() async -> Bool {
        let outcome = Settlement.Outcome()
        guard let number = line.withLock({ $0.wait(outcome) }) else { return true }
        if case .success = await outcome.value { return true }
        discard(line.withLock { $0.waiters.remove(number) })
        return false
    }

    /// Refuses further events from now on, unless there are some.
    ///
    /// - Returns: Whether it is closed.
    @usableFromInline
    func closeIfEmpty() -> Bool {
        line.withLock { line in
            line.isClosed = line.isEmpty
            return line.isClosed
        }
    }

    /// Closes the inbox when the loop ends: resumes all waiting senders, and refuses the waiting events.
    @usableFromInline
    func close() {
        let (entries, waiters) = line.withLock { $0.close() }
        for waiter in waiters { waiter.end() }
        for entry in entries { entry.turn.refuse(.ended) }
    }
}

/// The sender of an event that is offered to an inbox.
@usableFromInline
enum InboxSender {
    /// A sender outside the loop.
    case outside
    /// A sender outside the loop that has waited for room, which is reserved for it.
    case hasRoom
    /// The loop itself: its feedback responds to a state at once. Such an event is never refused.
    case loop
}

/// The queues of an inbox, of events and of waiting senders. A plain decision structure, without locks, threads or callbacks.
@usableFromInline
struct InboxLine<Event>: @unchecked Sendable {
    // Sound: only used behind the lock of its inbox.

    /// The decision about an event that is offered.
    @usableFromInline
    enum Offer {
        case queued
        /// It was coalesced with the event before it.
        case folded
        /// It is queued, and the oldest event is dropped.
        case queuedForOldest(Event, Turn)
        case full
        /// The loop has ended.
        case closed
    }

    /// A waiting event.
    ///
    /// - `sender`: The thread that sent it; 0 if it was coalesced from events of several threads.
    /// - `isAnswer`: True if the loop's own feedback sent it, so that it must not be dropped.
    /// - `number`: A number that no other entry has had, nor this one with another event.
    @usableFromInline typealias Entry = (event: Event, turn: Turn, sender: UInt, isAnswer: Bool, number: Int)

    /// Events that the journal mentions in one record. The mailbox has one mark for all of them.
    @usableFromInline typealias Tally = (last: Event, count: Int)

    @usableFromInline let bound: InboxBound
    @usableFromInline var entries = Queue<Entry>()
    /// The last number that was given to an entry.
    @usableFromInline var numbers = 0
    /// The last number that was given before the owner of the mailbox became its owner.
    @usableFromInline var disowned = 0
    /// The senders that wait for room, in order.
    var waiters = Numbered<Settlement.Outcome>()
    /// The number of places that are reserved for waiting senders.
    @usableFromInline var kept = 0
    @usableFromInline var isClosed = false
    /// The pending notes for the journal about coalesced and lost events.
    @usableFromInline var notes: (folded: Tally?, lost: Tally?)

    @inlinable
    init(_ bound: InboxBound) { self.bound = bound }

    @inlinable var isEmpty: Bool { entries.isEmpty }
    /// The thread that sent the next event; nil if there is none, 0 if several threads did, or the event was disowned.
    @inlinable var nextSender: UInt? { entries[0].map { $0.number > disowned ? $0.sender : 0 } }
    /// The last event, if another may be coalesced with it, and its number.
    @inlinable var last: (event: Event, number: Int)? {
        guard let last = entries[entries.count - 1], last.turn.note == nil else { return nil }
        return (last.event, last.number)
    }
    @inlinable var hasRoom: Bool { entries.count + kept < bound.capacity ?? .max }

    // MARK: Events

    @inlinable
    mutating func offer(_ event: Event, _ turn: Turn, from sender: InboxSender) -> Offer {
        if isClosed { return .closed }
        var offer = Offer.queued
        switch sender {
        case .loop: break
        case .hasRoom: kept -= 1
        case .outside where hasRoom: break
        case .outside:
            guard case .dropOldest = bound else { return .full }
            // An event of feedback cannot be dropped; the queue then exceeds its bound by one.
            if let oldest = popOldestDroppable() { offer = .queuedForOldest(oldest.event, oldest.turn) }
        }
        append((event: event, turn: turn, sender: currentThread(), isAnswer: sender == .loop, number: 0))
        return offer
    }

    @inlinable
    mutating func append(_ entry: Entry) {
        var entry = entry
        numbers += 1
        entry.number = numbers
        entries.append(entry)
    }

    /// Removes and returns the next event.
    @inlinable
    mutating func pop() -> Entry? { entries.popFirst() }

    /// Removes and returns the oldest event that may be dropped. O(*n*) in the number of earlier events that may not.
    @usableFromInline
    mutating func popOldestDroppable() -> Entry? {
        guard let index = (0..<entries.count).first(where: { entries[$0]?.isAnswer == false }) else { return nil }
        return entries.remove(at: index)
    }

    /// Replaces the last event by the result of coalescing it with another one.
    ///
    /// - Parameters:
    ///   - number: The number of the last event, when it was coalesced.
    ///   - event: The result.
    ///   - turn: The turn of the other event.
    ///   - sender: The sender of the other event.
    /// - Returns: The former values, to be released outside the lock; nil if there is no last event with this number.
    @inlinable
    mutating func replace(
        _ number: Int, by event: Event, _ turn: Turn, from sender: InboxSender
    ) -> (event: Event, context: CarriedContext?)? {
        guard entries[entries.count - 1]?.number == number, var last = entries.popLast() else { return nil }
        let former = (last.event, last.turn.context)
        last.event = event
        last.turn.join(turn)
        if last.sender != currentThread() || number <= disowned { last.sender = 0 }
        if sender == .loop { last.isAnswer = true }
        append(last)
        return former
    }

    /// Closes the queue when the loop ends.
    ///
    /// - Returns: The events and the senders that waited.
    mutating func close() -> (entries: [Entry], waiters: [Settlement.Outcome]) {
        var all: (entries: [Entry], waiters: [Settlement.Outcome]) = ([], [])
        while let entry = entries.popFirst() { all.entries.append(entry) }
        all.waiters = Array(waiters)
        waiters = Numbered()
        isClosed = true
        kept = 0
        return all
    }

    // MARK: Notes for the journal

    /// Records an event that was coalesced or lost.
    ///
    /// - Returns: Whether this is the first record since the last were written, so that the loop must be called to write it; and
    ///   the previous event, to be released outside the lock.
    @inlinable
    mutating func note(_ event: Event, isLost: Bool) -> (isFirst: Bool, before: Event?) {
        let isFirst = notes.folded == nil && notes.lost == nil
        let before = isLost ? notes.lost : notes.folded
        let tally = Tally(event, (before?.count ?? 0) + 1)
        if isLost { notes.lost = tally } else { notes.folded = tally }
        return (isFirst, before?.last)
    }

    @inlinable
    mutating func takeNotes() -> (folded: Tally?, lost: Tally?) {
        defer { notes = (nil, nil) }
        return notes
    }

    // MARK: Waiters

    /// Queues a sender that needs room.
    ///
    /// - Returns: Its number in the queue; nil if it need not wait: room is now reserved for it, or the loop has ended.
    mutating func wait(_ sender: Settlement.Outcome) -> Int? {
        if isClosed { return nil }
        if !hasRoom { return waiters.add(sender) }
        kept += 1
        return nil
    }

    /// Reserves room for the next sender that waits. Returns it, or nil if there is no room or nobody waits.
    @usableFromInline
    mutating func admitNext() -> Settlement.Outcome? {
        guard hasRoom, let sender = waiters.popFirst() else { return nil }
        kept += 1
        return sender
    }

    /// Releases room that was reserved and is not needed.
    ///
    /// - Returns: The sender that gets it, if any.
    mutating func giveRoomBack() -> Settlement.Outcome? {
        kept -= 1
        return admitNext()
    }
}

// A loop whose options bound or coalesce the waiting events.
extension Loop {
    /// Puts an event into the inbox, and reports coalesced, dropped and refused events.
    ///
    /// - Returns: Whether the event was accepted.
    @inlinable
    func offer(_ event: Event, _ turn: Turn, to inbox: Inbox<Event>, from sender: InboxSender) -> Bool {
        var turn = turn
        beginWait(&turn)
        switch inbox.offer(event, turn, from: sender) {
        case .queued: post(.inboxHasMail)
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
            if turn.askers.isEmpty || !inbox.suspends {
                context.noteRefused(event, .overflow)
                note(event, isLost: true, in: inbox)
            }
            return false
        case .closed:
            endWait(turn)
            return false
        }
        return true
    }

    @inlinable
    func note(_ event: Event, isLost: Bool, in inbox: Inbox<Event>) {
        guard isRecording else { return }
        let note = inbox.line.withLock { $0.note(event, isLost: isLost) }
        if note.isFirst { post(.work { $0.takeNotesFromInbox() }) }
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
        guard let limit = instruments?.options.effectLimit else { return false }
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
        let (folded, lost) = inbox.line.withLock { $0.takeNotes() }
        if let folded { record(.coalesced(folded.last, count: folded.count), cause: nil) }
        if let lost { record(.overflowed(lost.last, count: lost.count), cause: nil) }
    }
}

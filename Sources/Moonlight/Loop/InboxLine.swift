import Streams

/// Who offers an event to an inbox.
@usableFromInline
enum InboxSender {
    /// Somebody outside.
    case outside
    /// Somebody outside who has waited for room and got it.
    case hasRoom
    /// The loop, whose feedback answers a state at once: that is never refused.
    case loop
}

/// The line of events of an inbox, and that of senders who wait for room: what to do, without locks, threads and calls.
@usableFromInline
struct InboxLine<Event>: @unchecked Sendable {
    // Sound: only reached behind the lock of its inbox.

    /// What becomes of an event.
    @usableFromInline
    enum Offer {
        case queued
        /// It has become part of the one before it.
        case folded
        /// It waits, the oldest does no longer.
        case queuedForOldest(Event, Trace)
        case full
        /// The loop has ended.
        case closed
    }

    /// An event, and the thread that brought it: none if it is made of events of several.
    @usableFromInline typealias Entry = (event: Event, trace: Trace, sender: UInt)

    @usableFromInline let capacity: Int
    @usableFromInline let dropsOldest: Bool
    /// What waits; nil where an event is being folded.
    @usableFromInline var entries = Queue<Entry?>()
    /// How many have gone: what is counted from there stays where it is.
    @usableFromInline var gone = 0
    /// The place of the entry that is being folded, and how often the loop has come for it meanwhile.
    @usableFromInline var hole: (place: Int, passes: Int)?
    /// The ids of who waits for room, in order; those that wait no longer are skipped.
    @usableFromInline var waiters = Queue<Int>()
    @usableFromInline var waiting: Set<Int> = []
    @usableFromInline var waitersSoFar = 0
    /// How much room is kept for those that have waited.
    @usableFromInline var kept = 0
    @usableFromInline var isClosed = false
    /// What the journal has not been told yet: the last event of each kind, and how many there were.
    @usableFromInline var (folded, lost): (InboxTally<Event>?, InboxTally<Event>?)

    @inlinable
    init(_ bound: InboxBound) {
        capacity = bound.capacity ?? .max
        dropsOldest = bound.dropsOldest
    }

    @inlinable var isEmpty: Bool { entries.isEmpty }
    /// The thread that brought the next event; none if it is being folded.
    @inlinable var nextSender: UInt? { entries[0].flatMap { $0?.sender } }
    @inlinable var hasRoom: Bool { entries.count + kept < capacity }

    // MARK: Events

    @inlinable
    mutating func offer(_ event: Event, _ trace: Trace, from sender: InboxSender) -> Offer {
        if isClosed { return .closed }
        var offer = Offer.queued
        switch sender {
        case .loop: break
        case .hasRoom: kept -= 1
        case .outside where hasRoom: break
        case .outside:
            guard dropsOldest else { return .full }
            // One that is being folded cannot be dropped; for that moment there may be one too many.
            if let oldest = pop() { offer = .queuedForOldest(oldest.event, oldest.trace) }
        }
        entries.append((event, trace, currentThread()))
        return offer
    }

    @inlinable
    mutating func pop() -> Entry? {
        guard let first = entries[0], let entry = first else { return nil }
        _ = entries.popFirst()
        gone += 1
        return entry
    }

    /// The loop comes for the next event.
    @inlinable
    mutating func pass() -> Entry? {
        if hole?.place == gone { hole?.passes += 1 }
        return pop()
    }

    /// Takes the last event out to fold another into it; nil if there is none, or somebody else is at it.
    @inlinable
    mutating func takeLast() -> Entry? {
        guard hole == nil, let last = entries[entries.count - 1], let entry = last else { return nil }
        entries[entries.count - 1] = .some(nil)
        hole = (gone + entries.count - 1, 0)
        return entry
    }

    /// - Returns: How often the loop has come for it meanwhile, and so must be called again.
    @inlinable
    mutating func putBack(_ entry: Entry) -> Int {
        guard let hole else { return 0 }
        self.hole = nil
        entries[hole.place - gone] = .some(entry)
        return hole.passes
    }

    /// The loop has ended.
    ///
    /// - Returns: What waited.
    mutating func close() -> [Entry?] {
        var all: [Entry?] = []
        while let entry = entries.popFirst() { all.append(entry) }
        (isClosed, hole, kept, waiters, waiting) = (true, nil, 0, Queue(), [])
        return all
    }

    // MARK: What the journal is told

    /// - Returns: Whether the loop must be called to write it down; and the event that was noted before, to be let go of where
    ///   no lock is held.
    @inlinable
    mutating func note(folded event: Event) -> (isFirst: Bool, before: Event?) {
        let (isFirst, before) = (folded == nil && lost == nil, folded)
        folded = InboxTally(event, count: (before?.count ?? 0) + 1)
        return (isFirst, before?.last)
    }

    /// - Returns: Whether the loop must be called to write it down; and the event that was noted before, to be let go of where
    ///   no lock is held.
    @inlinable
    mutating func note(lost event: Event) -> (isFirst: Bool, before: Event?) {
        let (isFirst, before) = (folded == nil && lost == nil, lost)
        lost = InboxTally(event, count: (before?.count ?? 0) + 1)
        return (isFirst, before?.last)
    }

    @inlinable
    mutating func takeNotes() -> (folded: InboxTally<Event>?, lost: InboxTally<Event>?) {
        defer { (folded, lost) = (nil, nil) }
        return (folded, lost)
    }

    // MARK: Waiters

    mutating func makeWaiterID() -> Int {
        waitersSoFar += 1
        return waitersSoFar
    }

    /// Joins the line for room.
    ///
    /// - Returns: Whether there is room, now kept for the caller, or nothing to wait for.
    mutating func wait(_ id: Int) -> Bool {
        if isClosed { return true }
        if hasRoom {
            kept += 1
            return true
        }
        waiters.append(id)
        waiting.insert(id)
        return false
    }

    /// - Returns: Whether it has stopped waiting by this call.
    mutating func leave(_ id: Int) -> Bool { waiting.remove(id) != nil }

    /// Keeps room for the next that waits, if there is any.
    @usableFromInline
    mutating func admitNext() -> Int? {
        guard hasRoom else { return nil }
        while let id = waiters.popFirst() {
            guard waiting.remove(id) != nil else { continue }
            kept += 1
            return id
        }
        return nil
    }

    /// Room that was kept is not needed.
    ///
    /// - Returns: Who gets it.
    @usableFromInline
    mutating func giveRoomBack() -> Int? {
        kept -= 1
        return admitNext()
    }
}

/// Events of which the journal is told in one record: however many there are, the mailbox holds one mark for them.
@usableFromInline
struct InboxTally<Event> {
    @usableFromInline var last: Event
    @usableFromInline var count: Int

    @inlinable
    init(_ last: Event, count: Int) { (self.last, self.count) = (last, count) }
}

import Streams
import Synchronization

/// The events that wait for a loop whose options bound or fold them.
///
/// The loop's mailbox holds a mark for each event. So events keep their place among effects, and the mailbox does not outgrow
/// the inbox.
@usableFromInline
final class Inbox<Event>: @unchecked Sendable {
    // Sound: the line is behind its lock. The user's `coalesce` runs without the lock: the thread that folds takes the last
    // event out meanwhile, and leaves a hole that keeps its place.
    @usableFromInline let line: Lock<InboxLine<Event>>
    @usableFromInline let coalesce: ((Event, Event) -> Event?)?
    private let waiters = Lock<[Int: CheckedContinuation<Bool, Never>]>([:])
    /// Whether a sender that can wait does so when there is no room.
    @usableFromInline let suspends: Bool

    @inlinable
    init(_ bound: InboxBound, _ coalesce: ((Event, Event) -> Event?)?) {
        line = Lock(InboxLine(bound))
        self.coalesce = coalesce
        suspends = bound.suspends
    }

    /// The result of an offer.
    @usableFromInline
    struct Answer {
        @usableFromInline let offer: InboxLine<Event>.Offer
        /// How many marks the caller must leave in the loop's mailbox.
        @usableFromInline let marks: Int

        @inlinable
        init(_ offer: InboxLine<Event>.Offer, marks: Int) {
            self.offer = offer
            self.marks = marks
        }
    }

    @inlinable var isEmpty: Bool { line.withLock { $0.isEmpty } }

    /// Whether the next event was sent by the calling thread; also true if no event can be taken at this moment.
    @inlinable var isNextOwn: Bool {
        let thread = currentThread()
        return line.withLock { $0.nextSender ?? thread } == thread
    }

    /// Offers an event: folds it into the last one that waits, queues it, or refuses it.
    @inlinable
    func offer(_ event: Event, _ turn: Turn, from sender: InboxSender) -> Answer {
        var marks = 0
        if let coalesce {
            let (isFolded, passes) = foldIntoLast(event, turn, from: sender, coalesce)
            marks = passes
            if isFolded {
                if sender == .hasRoom { admit(line.withLock { $0.giveRoomBack() }) }
                return Answer(.folded, marks: marks)
            }
        }
        let offer = line.withLock { UncheckedTransfer($0.offer(event, turn, from: sender)) }.value
        if case .queued = offer { marks += 1 }
        return Answer(offer, marks: marks)
    }

    /// Folds an event into the last one that waits, if `coalesce` does.
    ///
    /// - Returns: Whether it was folded, and how often the loop asked for the last event meanwhile, in vain.
    @inlinable
    func foldIntoLast(
        _ event: Event, _ turn: Turn, from sender: InboxSender, _ coalesce: (Event, Event) -> Event?
    ) -> (isFolded: Bool, passes: Int) {
        // An event with a note is an event of its own.
        if turn.note != nil { return (false, 0) }
        guard var last = line.withLock({ UncheckedTransfer($0.takeLast()) }).value else { return (false, 0) }
        let folded = last.turn.note == nil ? coalesce(last.event, event) : nil
        if let folded {
            last.event = folded
            last.turn.join(turn)
            if last.sender != currentThread() { last.sender = 0 }
            if sender == .loop { last.isAnswer = true }
        }
        let entry = UncheckedTransfer(last)
        let (passes, isClosed) = line.withLock { ($0.putBack(entry.value), $0.isClosed) }
        if isClosed { last.turn.refuse(.ended) }
        return (folded != nil, passes)
    }

    /// Removes and returns the next event. Returns nil if there is none, or if it is being folded at this moment: then the
    /// folding thread leaves another mark.
    @inlinable
    func next() -> (event: Event, turn: Turn)? {
        let (entry, admitted) = line.withLock { line in
            let entry = line.pass()
            return (UncheckedTransfer(entry), entry == nil ? nil : line.admitNext())
        }
        if admitted != nil { admit(admitted) }
        return entry.value.map { ($0.event, $0.turn) }
    }

    // MARK: Senders that wait for room

    @usableFromInline
    func admit(_ waiter: Int?) {
        if let waiter { waiters.withLock { $0.removeValue(forKey: waiter) }?.resume(returning: true) }
    }

    /// Waits for room, which is then reserved for the caller: it must offer its event as ``InboxSender/hasRoom``.
    ///
    /// - Returns: True if there is room, or the loop has ended; false if the task was cancelled.
    func room() async -> Bool {
        let id = line.withLock { $0.makeWaiterID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
                // Registered first, so that an admission or a cancellation finds the continuation.
                waiters.withLock { $0[id] = waiter }
                if line.withLock({ $0.wait(id) }) { admit(id) }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Stops waiting. If room has been reserved by now, the caller goes on instead.
    private func giveUp(_ id: Int) {
        guard line.withLock({ $0.leave(id) }) else { return }
        waiters.withLock { $0.removeValue(forKey: id) }?.resume(returning: false)
    }

    /// Closes the inbox when the loop ends: resumes all senders that wait, and refuses the events that wait.
    @usableFromInline
    func close() {
        let entries = line.withLock { UncheckedTransfer($0.close()) }
        let all = waiters.withLock { waiters in
            defer { waiters = [:] }
            return waiters
        }
        for waiter in all.values { waiter.resume(returning: true) }
        for case let entry? in entries.value { entry.turn.refuse(.ended) }
    }
}

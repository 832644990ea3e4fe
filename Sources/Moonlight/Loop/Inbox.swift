import Streams
import Synchronization

/// The events that wait for a loop which bounds or folds them. The loop's mailbox holds a mark for each, so that their
/// place among effects is kept, and so that the mailbox grows no more than this.
@usableFromInline
final class Inbox<Event>: @unchecked Sendable {
    // Sound: the line is behind its lock. The user's `coalesce` runs with the lock free: who folds an event into the last
    // one takes that one out meanwhile and leaves a hole, which keeps its place.
    @usableFromInline let line: Lock<InboxLine<Event>>
    @usableFromInline let coalesce: ((Event, Event) -> Event?)?
    private let waiters = Lock<[Int: CheckedContinuation<Bool, Never>]>([:])
    /// Whether a sender that can wait is to wait when there is no room.
    @usableFromInline let suspends: Bool

    @inlinable
    init(_ bound: InboxBound, _ coalesce: ((Event, Event) -> Event?)?) {
        line = Lock(InboxLine(bound))
        self.coalesce = coalesce
        suspends = bound.suspends
    }

    /// What an offer has led to.
    @usableFromInline
    struct Answer {
        @usableFromInline let offer: InboxLine<Event>.Offer
        /// How many marks are to be left in the loop's mailbox.
        @usableFromInline let marks: Int

        @inlinable
        init(_ offer: InboxLine<Event>.Offer, marks: Int) { (self.offer, self.marks) = (offer, marks) }
    }

    @inlinable var isEmpty: Bool { line.withLock { $0.isEmpty } }

    /// Whether the next event is the calling thread's.
    @inlinable var isNextOwn: Bool {
        let thread = currentThread()
        return line.withLock { $0.nextSender ?? thread } == thread
    }

    /// Takes an event in, or says why not.
    @inlinable
    func offer(_ event: Event, _ trace: Trace, from sender: InboxSender) -> Answer {
        var marks = 0
        if let coalesce {
            let (isFolded, passes) = foldIntoLast(event, trace, coalesce)
            marks = passes
            if isFolded {
                if sender == .hasRoom { admit(line.withLock { $0.giveRoomBack() }) }
                return Answer(.folded, marks: marks)
            }
        }
        let offer = line.withLock { UncheckedTransfer($0.offer(event, trace, from: sender)) }.value
        if case .queued = offer { marks += 1 }
        return Answer(offer, marks: marks)
    }

    /// - Returns: Whether it has become part of the last one, and how often the loop has come for that one meanwhile.
    @inlinable
    func foldIntoLast(
        _ event: Event, _ trace: Trace, _ coalesce: (Event, Event) -> Event?
    ) -> (isFolded: Bool, passes: Int) {
        guard var last = line.withLock({ UncheckedTransfer($0.takeLast()) }).value else { return (false, 0) }
        let folded = coalesce(last.event, event)
        if let folded {
            last.event = folded
            last.trace.join(trace)
            if last.sender != currentThread() { last.sender = 0 }
        }
        let entry = UncheckedTransfer(last)
        let (passes, isClosed) = line.withLock { ($0.putBack(entry.value), $0.isClosed) }
        if isClosed { last.trace.refuse(.ended) }
        return (folded != nil, passes)
    }

    /// The next event, for the loop to handle; nil if there is none, or if it is being folded at this moment: then who folds
    /// leaves another mark.
    @inlinable
    func next() -> (event: Event, trace: Trace)? {
        let (entry, admitted) = line.withLock { line in
            let entry = line.pass()
            return (UncheckedTransfer(entry), entry == nil ? nil : line.admitNext())
        }
        if admitted != nil { admit(admitted) }
        return entry.value.map { ($0.event, $0.trace) }
    }

    // MARK: Who waits for room

    @usableFromInline
    func admit(_ waiter: Int?) {
        if let waiter { waiters.withLock { $0.removeValue(forKey: waiter) }?.resume(returning: true) }
    }

    /// Waits for room, which is kept for the caller: it must offer its event as one that has it.
    ///
    /// - Returns: Whether there is room, or nothing to wait for any more; false if the task was cancelled.
    func room() async -> Bool {
        let id = line.withLock { $0.makeWaiterID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
                // In this order, so that who is admitted or gives up is found.
                waiters.withLock { $0[id] = waiter }
                if line.withLock({ $0.wait(id) }) { admit(id) }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// Stops waiting, unless there is room by now: then the caller goes on.
    private func giveUp(_ id: Int) {
        guard line.withLock({ $0.leave(id) }) else { return }
        waiters.withLock { $0.removeValue(forKey: id) }?.resume(returning: false)
    }

    /// The loop has ended: nobody waits for it any more.
    @usableFromInline
    func close() {
        let entries = line.withLock { UncheckedTransfer($0.close()) }
        let all = waiters.withLock { waiters in
            defer { waiters = [:] }
            return waiters
        }
        for waiter in all.values { waiter.resume(returning: true) }
        for case let entry? in entries.value { entry.trace.refuse(.ended) }
    }
}

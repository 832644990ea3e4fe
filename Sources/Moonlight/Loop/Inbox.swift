import Streams
import Synchronization

/// The events that wait for a loop which bounds or folds them. The loop's mailbox holds a mark for each, so that their
/// place among effects is kept.
@usableFromInline
final class Inbox<Event>: @unchecked Sendable {
    // Sound: the state is behind its lock. The user's `coalesce` runs with the lock free: who folds an event into the last
    // one takes that one out meanwhile and leaves a hole, which keeps its place.

    enum Offer {
        case queued
        /// It has become part of the one before it.
        case coalesced
        /// It waits in place of the oldest.
        case dropped(Event, Trace)
        case refused
    }

    private typealias Entry = (event: Event, trace: Trace)

    private struct State: @unchecked Sendable {
        // Sound: behind the lock.
        var entries: [Entry?] = []
        var first = 0
        /// How many entries have been cut off at the beginning: what is counted from there stays where it is.
        var cut = 0
        var hole: Int?
        var waiters: [(id: Int, CheckedContinuation<Bool, Never>)] = []
        var waitersSoFar = 0
        var isClosed = false

        var count: Int { entries.count - first }

        mutating func popFirst() -> Entry? {
            guard first < entries.count, let entry = entries[first].take() else { return nil }
            first += 1
            if first > 32, first > entries.count / 2 {
                entries.removeFirst(first)
                cut += first
                first = 0
            }
            return entry
        }
    }

    private let guarded = Lock(State())
    private let bound: InboxBound
    private let coalesce: ((Event, Event) -> Event?)?

    init(_ bound: InboxBound, _ coalesce: ((Event, Event) -> Event?)?) {
        (self.bound, self.coalesce) = (bound, coalesce)
    }

    /// Takes an event in, or says why not.
    func offer(_ event: Event, _ trace: Trace) -> Offer {
        if let coalesce, foldIntoLast(event, trace, coalesce) { return .coalesced }
        return guarded.withLock { state -> UncheckedTransfer<Offer> in
            var offer = Offer.queued
            if let capacity = bound.capacity, state.count >= capacity {
                guard case .dropOldest = bound, let oldest = state.popFirst() else {
                    return UncheckedTransfer(.refused)
                }
                offer = .dropped(oldest.event, oldest.trace)
            }
            state.entries.append((event, trace))
            return UncheckedTransfer(offer)
        }.value
    }

    /// The next event, for the loop to handle; nil if there is none, or if it is being folded at this moment: then who folds
    /// leaves another mark.
    func next() -> (event: Event, trace: Trace)? {
        let (entry, waiter) = guarded.withLock { state in
            let entry = state.popFirst()
            let waiter = entry == nil || state.waiters.isEmpty ? nil : state.waiters.removeFirst().1
            return (UncheckedTransfer(entry), waiter)
        }
        waiter?.resume(returning: true)
        return entry.value
    }

    /// Folds the event that waits first into one that is about to be handled.
    ///
    /// - Returns: The event that was folded, nil if there is none to fold.
    func foldNext(into event: inout Event, _ trace: inout Trace) -> Event? {
        guard let coalesce else { return nil }
        let first = guarded.withLock { state in
            UncheckedTransfer(state.first < state.entries.count ? state.entries[state.first] : nil)
        }.value
        guard let first, let folded = coalesce(event, first.event), let entry = next() else { return nil }
        event = folded
        trace.settlements += entry.trace.settlements
        return entry.event
    }

    private func foldIntoLast(_ event: Event, _ trace: Trace, _ coalesce: (Event, Event) -> Event?) -> Bool {
        let (last, place) = guarded.withLock { state -> (UncheckedTransfer<Entry?>, Int) in
            guard state.hole == nil, state.count > 0 else { return (UncheckedTransfer(nil), 0) }
            let place = state.cut + state.entries.count - 1
            state.hole = place
            return (UncheckedTransfer(state.entries[state.entries.count - 1].take()), place)
        }
        guard var last = last.value else { return false }
        let folded = coalesce(last.event, event)
        if let folded {
            last.event = folded
            last.trace.settlements += trace.settlements
        }
        let entry = UncheckedTransfer(last)
        guarded.withLock { state in
            // The loop may have ended meanwhile, and with it all entries.
            if state.hole == place { state.entries[place - state.cut] = entry.value }
            state.hole = nil
        }
        return folded != nil
    }

    // MARK: Who waits for room

    /// Whether a sender that can wait is to wait when there is no room.
    var suspends: Bool {
        if case .suspend = bound { true } else { false }
    }

    /// Waits until there may be room.
    ///
    /// - Returns: Whether there may be; false if the task was cancelled.
    func room() async -> Bool {
        let id = guarded.withLock { state in
            state.waitersSoFar += 1
            return state.waitersSoFar
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
                let answer = guarded.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.isClosed || state.count < bound.capacity ?? .max { return true }
                    state.waiters.append((id, waiter))
                    return nil
                }
                if let answer { waiter.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = guarded.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).1 }
            }
            waiter?.resume(returning: false)
        }
    }

    /// The loop has ended: nobody waits for it any more.
    func close() {
        let (entries, waiters) = guarded.withLock { state in
            state.isClosed = true
            defer { (state.entries, state.first, state.hole, state.waiters) = ([], 0, nil, []) }
            return (UncheckedTransfer(state.entries), state.waiters)
        }
        for (_, waiter) in waiters { waiter.resume(returning: true) }
        _ = entries
    }
}

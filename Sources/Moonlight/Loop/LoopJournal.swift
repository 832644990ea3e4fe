import Streams

/// The journal of a loop and its counters, and the times for both.
@usableFromInline
final class LoopJournal<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the counters guard themselves; the variables are only touched by the owner of the loop's mailbox.
    /// Takes the records; nil if only the counters are kept, and once the loop has ended.
    @exclusivity(unchecked) @usableFromInline var take: ((JournalRecord<State, Event, Effect>) -> Void)?
    @usableFromInline let name: String?
    @usableFromInline let counters: LoopCounters?
    @usableFromInline let clock: (@Sendable () -> Int)?
    @exclusivity(unchecked) @usableFromInline var records = 0
    /// The time at which the loop began to handle the current item, by ``JournalClock``; nil until it is asked for.
    @exclusivity(unchecked) @usableFromInline var time: Duration?
    /// The same time, by ``read()``; none if the loop has no counters.
    @exclusivity(unchecked) @usableFromInline var turn = Nanoseconds.none
    /// The time at which the last `transform` or `apply` began or, if it has returned, ended: the next one begins there. None if anything
    /// else was called since.
    @exclusivity(unchecked) @usableFromInline var mark = Nanoseconds.none
    /// Set while the journal is being called. Notes that are taken meanwhile are written later, in their turn.
    @exclusivity(unchecked) @usableFromInline var isWriting = false
    /// The state before an effect. It is a property because a local variable of a large type would be moved about even where no
    /// journal is kept.
    @exclusivity(unchecked) @usableFromInline var before: State?

    @inlinable
    init(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) {
        take = options.journal
        name = options.name
        self.counters = counters
        clock = options.clock
    }

    /// True if records are taken.
    @inlinable @inline(__always)
    var isOpen: Bool { take != nil }

    /// Writes a record, and returns its number.
    @inlinable
    func write(
        _ step: JournalRecord<State, Event, Effect>.Step, cause: Int?, times: RecordTimes, context: CarriedContext?
    ) -> Int {
        records += 1
        let number = records
        isWriting = true
        take?(
            JournalRecord(
                number: number, cause: cause, age: beginning, loop: name, times: times, context: context, step: step))
        isWriting = false
        // The time that the journal took is not attributed to anything else.
        mark = .none
        return number
    }

    /// Releases what takes the records.
    @inlinable
    func end() { take = nil }

    // MARK: Time

    /// True if time is measured, for the records or the counters.
    @inlinable var isTimed: Bool { isOpen || counters != nil }

    @inlinable
    func read() -> Nanoseconds { if let clock { Nanoseconds(clock()) } else { .now } }

    /// The time at which the loop began to handle the current item.
    @inlinable var beginning: Duration {
        if let time { return time }
        let now = if let clock { Duration.nanoseconds(clock()) } else { JournalClock.read() }
        time = now
        return now
    }

    /// Notes that the loop begins to handle an item.
    @inlinable
    func beginItem() {
        time = nil
        mark = .none
        turn = counters == nil ? .none : read()
    }

    /// Notes that an item has been handled.
    @inlinable
    func endItem() { if let counters { counters.note(turn: read() - turn) } }

    /// Notes the time before a call of `transform` or `apply`.
    @inlinable
    func beginCall() { if isOpen, mark.isNone { mark = read() } }

    /// Notes the time after a call of `transform` or `apply`.
    ///
    /// - Returns: How long it took; none if no records are taken.
    @inlinable
    func endCall() -> Nanoseconds {
        if !isOpen || mark.isNone { return .none }
        let (before, now) = (mark, read())
        mark = now
        return now - before
    }
}

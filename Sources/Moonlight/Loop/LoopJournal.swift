import Streams

/// The journal of a loop and its counters, and the times for both.
@usableFromInline
final class LoopJournal<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the counters are thread-safe; only the owner of the loop's mailbox uses the variables.
    /// Receives the records; nil if only counters are kept, and once the loop has ended.
    @exclusivity(unchecked) @usableFromInline var take: ((JournalRecord<State, Event, Effect>) -> Void)?
    @usableFromInline let name: String?
    @usableFromInline let counters: LoopCounters?
    @usableFromInline let clock: (@Sendable () -> Int)?
    @exclusivity(unchecked) @usableFromInline var records = 0
    /// The time at which the loop began to handle the current item, by ``JournalClock``; nil until it is read.
    @exclusivity(unchecked) @usableFromInline var time: Duration?
    /// The same time, by ``read()``; none if the loop has no counters.
    @exclusivity(unchecked) @usableFromInline var turn = Nanoseconds.none
    /// The time at which the last `transform` or `apply` began or, if it has returned, ended: the next one begins there. None if anything
    /// else was called since.
    @exclusivity(unchecked) @usableFromInline var mark = Nanoseconds.none
    /// Set while the journal is being called. Notes that arrive meanwhile are written later.
    @exclusivity(unchecked) @usableFromInline var isWriting = false
    /// The state before an effect. A property, because a local variable of a large type would be copied even if no journal is
    /// kept.
    @exclusivity(unchecked) @usableFromInline var before: State?

    @inlinable
    init(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) {
        take = options.journal
        name = options.name
        self.counters = counters
        clock = options.clock
    }

    /// True if records are written.
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

    /// Releases the receiver of the records.
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

    /// Records that the loop begins to handle an item.
    @inlinable
    func beginItem() {
        time = nil
        mark = .none
        turn = counters == nil ? .none : read()
    }

    /// Records that an item has been handled.
    @inlinable
    func endItem() { if let counters { counters.note(turn: read() - turn) } }

    /// Records the time before a call of `transform` or `apply`.
    @inlinable
    func beginCall() { if isOpen, mark.isNone { mark = read() } }

    /// Records the time after a call of `transform` or `apply`.
    ///
    /// - Returns: The time that it took; none if no records are written.
    @inlinable
    func endCall() -> Nanoseconds {
        if !isOpen || mark.isNone { return .none }
        let (before, now) = (mark, read())
        mark = now
        return now - before
    }
}

import Streams

/// The optional parts of a loop: its journal, counters, inbox, limits, and carried task-locals.
@usableFromInline
final class LoopInstruments<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the inbox and the counters guard themselves; the variables are only touched by the owner of the loop's mailbox.
    @usableFromInline let inbox: Inbox<Event>?
    @usableFromInline let onRunaway: ((Runaway) -> Void)?
    @usableFromInline let endsRunaway: Bool
    @usableFromInline let carrying: [CarriedLocal]
    @exclusivity(unchecked) @usableFromInline var journal: ((JournalRecord<State, Event, Effect>) -> Void)?
    @usableFromInline let name: String?
    @usableFromInline let counters: LoopCounters?
    @usableFromInline let clock: (@Sendable () -> Int)?
    @exclusivity(unchecked) @usableFromInline var records = 0
    /// When the loop began to handle the current item, by ``JournalClock``; nil until it is asked for.
    @exclusivity(unchecked) @usableFromInline var time: Duration?
    /// The same time, by ``read()``; none if the loop has no counters.
    @exclusivity(unchecked) @usableFromInline var turn = Nanoseconds.none
    /// When the last `transform` or `apply` began or, if it has returned, ended: the next one begins there. None if anything
    /// else was called since.
    @exclusivity(unchecked) @usableFromInline var mark = Nanoseconds.none
    /// How long the last `apply` took.
    @exclusivity(unchecked) @usableFromInline var applyTime = Nanoseconds.none
    /// Whether the journal is being called. Notes that are taken meanwhile are written later, in their turn.
    @exclusivity(unchecked) @usableFromInline var isWriting = false
    @exclusivity(unchecked) @usableFromInline var steps: StepCounter?
    @usableFromInline let effectLimit: Int?
    @usableFromInline let gate: OutputGate<State, Event, Effect>?
    /// How many marks of the inbox are kept back until fewer effects are live.
    @exclusivity(unchecked) @usableFromInline var heldMarks = 0

    @inlinable
    init(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) {
        (name, self.counters, clock) = (options.name, counters, options.clock)
        journal = options.journal
        steps = options.stepLimit.map { StepCounter(limit: max($0, 1)) }
        (onRunaway, endsRunaway) = (options.onRunaway, options.endsRunaway)
        carrying = options.carrying
        (effectLimit, gate) = (options.effectLimit, options.gate)
        let hasInbox = options.inbox != .unbounded || options.coalesce != nil || effectLimit != nil
        inbox = hasInbox ? Inbox(options.inbox, options.coalesce) : nil
    }

    /// Creates the instruments for the given options; returns nil if all options are off.
    @inlinable
    static func make(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) -> LoopInstruments? {
        options.isPlain ? nil : LoopInstruments(options, counters)
    }

    /// Writes a record, and returns its number.
    @inlinable
    func write(
        _ step: JournalRecord<State, Event, Effect>.Step, cause: Int?, times: RecordTimes, context: CarriedContext?
    ) -> Int {
        records += 1
        let number = records
        isWriting = true
        journal?(
            JournalRecord(
                number: number, cause: cause, age: beginning, loop: name, times: times, context: context, step: step))
        isWriting = false
        // The time that the journal took is not attributed to anything else.
        mark = .none
        return number
    }

    // MARK: Time

    /// Whether time is measured, for the journal or the counters.
    @inlinable var isTimed: Bool { journal != nil || counters != nil }

    @inlinable
    func read() -> Nanoseconds { if let clock { Nanoseconds(clock()) } else { .now } }

    /// When the loop began to handle the current item.
    @inlinable var beginning: Duration {
        if let time { return time }
        let now = if let clock { Duration.nanoseconds(clock()) } else { JournalClock.read() }
        time = now
        return now
    }

    /// Notes the time before a call of `transform` or `apply`.
    @inlinable
    func beginCall() { if journal != nil, mark.isNone { mark = read() } }

    /// Notes the time after a call of `transform` or `apply`.
    ///
    /// - Returns: How long it took; none if no journal is kept.
    @inlinable
    func endCall() -> Nanoseconds {
        if journal == nil || mark.isNone { return .none }
        let (before, now) = (mark, read())
        mark = now
        return now - before
    }

    /// Captures the caller's values of the carried task-locals; nil if none are carried.
    @inlinable
    func captureContext() -> CarriedContext? { carrying.isEmpty ? nil : CarriedContext(carrying) }

    /// Notes how long a call of `apply` took.
    @inlinable
    func endApply() { applyTime = endCall() }

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

    /// Releases the journal and closes the inbox.
    @inlinable
    func end() {
        journal = nil
        inbox?.close()
    }

    /// Restarts the step count: the loop was idle, so what happens now has come from outside.
    @inlinable
    func beginRun() { steps?.reset() }

    /// Whether events are counted, for the step limit.
    @inlinable var counts: Bool { steps != nil }

    /// Counts an event.
    ///
    /// - Returns: A report if the step limit is reached.
    @inlinable
    func count(_ event: Event, isFromOutside: Bool) -> Runaway? {
        if isFromOutside { steps?.reset() }
        return steps?.count(event)
    }
}

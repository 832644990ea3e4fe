import Streams

/// The optional parts of a loop: its journal, the bound and the folding of its mailbox, the limit of its steps.
@usableFromInline
final class LoopInstruments<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the inbox guards itself; what changes is only touched by the owner of the loop's mailbox.
    @usableFromInline let inbox: Inbox<Event>?
    @usableFromInline let onRunaway: ((Runaway) -> Void)?
    @usableFromInline let endsRunaway: Bool
    @usableFromInline let carrying: [CarriedLocal]
    @exclusivity(unchecked) @usableFromInline var journal: ((JournalRecord<State, Event, Effect>) -> Void)?
    @usableFromInline let name: String?
    @usableFromInline let counters: LoopCounters?
    @usableFromInline let clock: (@Sendable () -> Int)?
    @exclusivity(unchecked) @usableFromInline var records = 0
    /// When the loop took up what it handles now, by ``JournalClock``; nil until somebody asks.
    @exclusivity(unchecked) @usableFromInline var time: Duration?
    /// When that was, if turns are counted.
    @exclusivity(unchecked) @usableFromInline var turn = Nanoseconds.none
    /// When the last `transform` or `apply` began or, by then, ended; none if others have been called since.
    @exclusivity(unchecked) @usableFromInline var mark = Nanoseconds.none
    /// How long the last `apply` took.
    @exclusivity(unchecked) @usableFromInline var applyTime = Nanoseconds.none
    /// Whether the journal is being called: what happens meanwhile is written when it is back.
    @exclusivity(unchecked) @usableFromInline var isWriting = false
    @exclusivity(unchecked) @usableFromInline var steps: StepCounter?
    @usableFromInline let effectLimit: Int?
    /// How many marks of the inbox wait until fewer effects are live.
    @exclusivity(unchecked) @usableFromInline var heldMarks = 0

    @inlinable
    init(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) {
        (name, self.counters, clock) = (options.name, counters, options.clock)
        journal = options.journal
        steps = options.stepLimit.map { StepCounter(limit: max($0, 1)) }
        (onRunaway, endsRunaway) = (options.onRunaway, options.endsRunaway)
        carrying = options.carrying
        effectLimit = options.effectLimit
        let hasInbox = options.inbox != .unbounded || options.coalesce != nil || effectLimit != nil
        inbox = hasInbox ? Inbox(options.inbox, options.coalesce) : nil
    }

    /// The instruments for some options; nil if all is off.
    @inlinable
    static func make(_ options: LoopOptions<State, Event, Effect>, _ counters: LoopCounters?) -> LoopInstruments? {
        options.isPlain ? nil : LoopInstruments(options, counters)
    }

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
        // What the journal has taken is not counted as anybody else's.
        mark = .none
        return number
    }

    // MARK: Time

    /// Whether anybody asks how long things take.
    @inlinable var isTimed: Bool { journal != nil || counters != nil }

    @inlinable
    func read() -> Nanoseconds { if let clock { Nanoseconds(clock()) } else { .now } }

    /// When the loop took up what it handles now.
    @inlinable var beginning: Duration {
        if let time { return time }
        let now = if let clock { Duration.nanoseconds(clock()) } else { JournalClock.read() }
        time = now
        return now
    }

    /// `transform` or `apply` is about to be called.
    @inlinable
    func beginCall() { if journal != nil, mark.isNone { mark = read() } }

    /// It has returned.
    ///
    /// - Returns: How long it took; none if nobody asks.
    @inlinable
    func endCall() -> Nanoseconds {
        if journal == nil || mark.isNone { return .none }
        let (before, now) = (mark, read())
        mark = now
        return now - before
    }

    /// What the caller's task-locals are, of those that are carried; nil if none are.
    @inlinable
    func captureContext() -> CarriedContext? { carrying.isEmpty ? nil : CarriedContext(carrying) }

    /// `apply` has returned.
    @inlinable
    func endApply() { applyTime = endCall() }

    /// The loop takes up something new.
    @inlinable
    func beginItem() {
        time = nil
        mark = .none
        turn = counters == nil ? .none : read()
    }

    /// An item has been handled.
    @inlinable
    func endItem() { if let counters { counters.note(turn: read() - turn) } }

    /// Lets go of everything.
    @inlinable
    func end() {
        journal = nil
        inbox?.close()
    }

    /// The loop was idle: what happens now has come from outside.
    @inlinable
    func beginRun() { steps?.reset() }

    /// Whether events are counted.
    @inlinable var counts: Bool { steps != nil }

    /// Counts an event.
    ///
    /// - Returns: A report when the limit is reached.
    @inlinable
    func count(_ event: Event, isFromOutside: Bool) -> Runaway? {
        if isFromOutside { steps?.reset() }
        return steps?.count(event)
    }
}

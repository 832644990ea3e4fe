import Streams
import Synchronization

/// The optional parts of a loop: its hook, journal, counters, inbox and limits.
@usableFromInline
final class LoopInstruments<State: Equatable, Event, Effect>: @unchecked Sendable {
    // Sound: the inbox and the counters are thread-safe; only the owner of the loop's mailbox uses the variables.
    /// The options without the journal, which is not retained beyond the end of the loop.
    @usableFromInline let options: LoopOptions<State, Event, Effect>
    /// True if a journal is kept, until the end of the loop.
    @usableFromInline let isRecording: Bool
    /// The journal; nil once the loop has ended.
    @exclusivity(unchecked) @usableFromInline var journal: ((JournalRecord<State, Event, Effect>) -> Void)?
    @usableFromInline let inbox: Inbox<Event>?
    @usableFromInline let counters: LoopCounters?
    /// Counts the events that follow each other; nil if they are not limited.
    @exclusivity(unchecked) @usableFromInline var steps: StepCounter?
    /// The number of marks of the inbox that are held back until fewer effects are live.
    @exclusivity(unchecked) @usableFromInline var heldMarks = 0
    /// True if events waited in the inbox when the loop, which had been idle, began to handle the current items.
    @exclusivity(unchecked) @usableFromInline var beganWithMail = false
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
        journal = options.journal
        isRecording = journal != nil
        var others = options
        others.journal = nil
        others.onBegin = nil
        self.options = others
        self.counters = counters
        steps = options.stepLimit.map { StepCounter(limit: $0) }
        let hasInbox = options.inbox != .unbounded || options.coalesce != nil || options.effectLimit != nil
        inbox = hasInbox ? Inbox(options.inbox, options.coalesce) : nil
    }

    /// Restarts the step count: the loop was idle, so the current item comes from outside. The events that wait in the inbox were
    /// sent earlier, perhaps by other tasks of this thread.
    @inlinable
    func beginRun() {
        steps?.reset()
        if let inbox { beganWithMail = inbox.disown() }
    }

    /// Releases the journal and closes the inbox.
    @inlinable
    func end() {
        journal = nil
        inbox?.close()
    }

    // MARK: The journal

    /// True if records are written. Only the owner of the mailbox may ask.
    @inlinable @inline(__always)
    var isOpen: Bool { journal != nil }

    // MARK: Time

    /// True if time is measured, for the records or the counters.
    @inlinable var isTimed: Bool { isRecording || counters != nil }

    @inlinable
    func read() -> Nanoseconds { if let clock = options.clock { Nanoseconds(clock()) } else { .now } }

    /// The time at which the loop began to handle the current item.
    @inlinable var beginning: Duration {
        if let time { return time }
        let now = if let clock = options.clock { Duration.nanoseconds(clock()) } else { JournalClock.read() }
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

// The journal of a loop, its counters, and their times.
extension Loop {
    /// True if a journal is kept, until the end of the loop.
    @inlinable @inline(__always)
    var isRecording: Bool { instruments?.isRecording == true }

    /// Writes a record, if a journal is kept. Only the owner calls this.
    ///
    /// - Parameters:
    ///   - step: The step to record. Only evaluated if a journal is kept.
    ///   - cause: The number of the record that caused it, if any.
    ///   - times: The times that the recorded step took.
    ///   - context: The carried task-locals; if nil, those of the current turn.
    /// - Returns: The record's number; nil if no journal is kept.
    @inlinable @discardableResult
    func record(
        _ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?,
        times: RecordTimes = (.none, .none, .none), context: CarriedContext? = nil
    ) -> Int? {
        guard let instruments, let journal = instruments.journal else { return nil }
        instruments.records += 1
        let number = instruments.records
        instruments.isWriting = true
        journal(
            JournalRecord(
                number: number, cause: cause, age: instruments.beginning, loop: instruments.options.name, times: times,
                context: context ?? turn.context, step: step()))
        instruments.isWriting = false
        // The time that the journal took is not attributed to anything else.
        instruments.mark = .none
        return number
    }

    @usableFromInline
    func take(_ note: Note, cause: Int?) -> Int? {
        guard let instruments, instruments.isRecording else { return nil }
        // At once from inside the loop, unless the journal is being called; otherwise through the mailbox.
        if isHandledHere, !instruments.isWriting { return record(note.step(), cause: cause ?? turn.cause) }
        take(
            .work { loop in
                // Once the loop is cancelled, only the end is recorded.
                guard !loop.context.isCancelled || note.isOfTheEnd else { return }
                loop.instruments?.beginItem()
                loop.record(note.step(), cause: cause)
            })
        return nil
    }

    /// The number of the record that causes the current work of the calling thread, if that thread is handling an item of this
    /// loop and a journal is kept.
    @usableFromInline
    var causeHere: Int? { isHandledHere ? turn.cause : nil }

    @usableFromInline
    func setCause(_ number: Int?) { if isHandledHere { turn.cause = number } }

    // MARK: Times

    /// Records that an event begins to wait.
    @inlinable
    func beginWait(_ turn: inout Turn) {
        guard let instruments, instruments.isTimed else { return }
        turn.sent = instruments.read()
        instruments.counters?.waiting.wrappingAdd(1, ordering: .relaxed)
    }

    /// Records that an event has stopped waiting.
    @inlinable
    func endWait(_ turn: Turn) {
        if !turn.sent.isNone { instruments?.counters?.waiting.wrappingSubtract(1, ordering: .relaxed) }
    }

    /// Records that the loop begins to handle an event.
    ///
    /// - Returns: The time that the event has waited; none if time is not measured.
    @inlinable
    func endWait(of turn: Turn) -> Nanoseconds {
        guard let instruments, instruments.isTimed else { return .none }
        endWait(turn)
        let waited = turn.sent.isNone ? .zero : instruments.read() - turn.sent
        instruments.counters?.noteEvent(waited: waited)
        return waited
    }
}

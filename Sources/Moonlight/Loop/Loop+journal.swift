import Streams

// The journal of a loop, its counters, and their times.
extension Loop {
    @inlinable @inline(__always)
    var journal: LoopJournal<State, Event, Effect>? { instruments?.journal }

    /// True if a journal is kept.
    @inlinable @inline(__always)
    var isRecording: Bool { journal?.isOpen == true }

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
        _ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?, times: RecordTimes = RecordTimes(),
        context: CarriedContext? = nil
    ) -> Int? {
        guard let journal = journal, journal.isOpen else { return nil }
        return journal.write(step(), cause: cause, times: times, context: context ?? turn.context)
    }

    /// Prepares for an effect that is about to be applied.
    ///
    /// - Throws: The reason why the hook refuses it.
    @inlinable
    func prepare(_ effect: Effect, _ program: Program, _ instruments: LoopInstruments<State, Event, Effect>) throws {
        if let journal = instruments.journal, journal.isOpen {
            journal.before = program.state
            journal.beginCall()
        }
        try instruments.hook?.prepare(effect)
    }

    /// Writes the record of an applied effect, if a journal is kept. The record is the cause of events that observers of the
    /// state send.
    @inlinable
    func record(
        applied effect: Effect, in time: Nanoseconds, _ program: Program,
        _ instruments: LoopInstruments<State, Event, Effect>
    ) {
        guard let journal = instruments.journal, let before = journal.before.take() else { return }
        let times = RecordTimes(transform: turn.transformTime, apply: time)
        turn.cause = record(.effect(effect, before: before, after: program.state), cause: turn.cause, times: times)
    }

    @usableFromInline
    func take(_ note: Note, cause: Int?) -> Int? {
        guard let journal = journal, journal.isOpen else { return nil }
        // From inside the loop at once, unless the journal is being called; otherwise in its turn.
        if isHandledHere, !journal.isWriting { return record(note.step(), cause: cause ?? turn.cause) }
        take(.record(note.step(), cause: cause))
        return nil
    }

    /// The number of the record that causes the current work of the calling thread, if that thread is handling an item of this
    /// loop and a journal is kept.
    @usableFromInline
    var causeHere: Int? { isHandledHere ? turn.cause : nil }

    @usableFromInline
    func replaceCause(_ number: Int?) -> Int? {
        guard isHandledHere else { return nil }
        defer { turn.cause = number }
        return turn.cause
    }

    // MARK: Times

    /// Records that an event begins to wait.
    @inlinable
    func beginWait(_ turn: inout Turn) {
        guard let journal = journal, journal.isTimed else { return }
        turn.sent = journal.read()
        journal.counters?.beginWait()
    }

    /// Records that an event has stopped waiting.
    @inlinable
    func endWait(_ turn: Turn) {
        if !turn.sent.isNone { journal?.counters?.endWait() }
    }

    /// Records that the loop begins to handle an event.
    ///
    /// - Returns: The time that the event has waited; none if time is not measured.
    @inlinable
    func endWait(of turn: Turn) -> Nanoseconds {
        guard let journal = journal, journal.isTimed else { return .none }
        endWait(turn)
        let waited = turn.sent.isNone ? .zero : journal.read() - turn.sent
        journal.counters?.noteEvent(waited: waited)
        return waited
    }
}

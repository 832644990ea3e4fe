import Streams
import Synchronization

// What a loop with options does in addition: it keeps its journal, counts steps, and tracks what causes what.
//
// All of it is inlinable, so that it is specialized where the loop's types are known: an unspecialized step costs ten times
// as much.
extension Loop {
    /// Handles an event, and passes its trace on to everything that it causes.
    @inlinable
    func handleTraced(_ event: Event, _ trace: Trace) {
        guard !cancellation.isCancelled, program != nil else { return trace.refuse(.ended) }
        if gate != nil, postpones(event, trace) { return }
        handleInTurn(event, trace)
    }

    /// Handles an event that no other one has to precede.
    @inlinable
    func handleInTurn(_ event: Event, _ trace: Trace) {
        if let context = trace.context { context.bind { handleBound(event, trace) } } else { handleBound(event, trace) }
    }

    /// Handles an event with its sender's task-locals bound.
    @inlinable
    func handleBound(_ event: Event, _ trace: Trace) {
        trace.asker?.begin()
        let waited = beginEvent(trace)
        if let gate {
            let admission = gate.log.admit(event, isFollowUp: trace.isFollowUp, errand: trace.errand)
            guard case .admitted = admission else { return turnAway(event, trace, admission, by: gate) }
        }
        // The trace is not set yet, so what the journal or `onRunaway` sends now counts as coming from outside.
        let number = record(.event(event), cause: trace.cause, times: RecordTimes(waited: waited), context: trace.context)
        if let steps = instruments?.steps, let report = steps.count(event, isFromOutside: trace.isFromOutside) {
            record(.runaway(steps: report.steps, chain: report.chain), cause: number, context: trace.context)
            // The journal may have cancelled the loop.
            if !cancellation.isCancelled { steps.onRunaway?(report) }
            if steps.endsRunaway { cancel() }
        }
        let before = beginTrace(Trace(cause: number, settlement: trace.settlement, context: trace.context))
        self.trace.asker = trace.asker
        instruments?.beginCall()
        if let error = transformAndRun(event, decided: { self.trace.transformTime = instruments?.endCall() ?? .none }) {
            record(.rejected(event, error), cause: number, times: RecordTimes(transform: instruments?.endCall() ?? .none))
            trace.refuse(.rejected(error))
        }
        // Still in the event's own item, so that the state is read before anything else can change it.
        if let gate {
            endTurn(gate)
            answer(trace, gate)
        } else if let asker = trace.asker, !cancellation.isCancelled {
            asker.decide()
        }
        endTrace(before)
        instruments?.endItem()
    }

    /// Notes that the loop begins to handle an event.
    ///
    /// - Returns: How long the event has waited; none if time is not measured.
    @inlinable
    func beginEvent(_ trace: Trace) -> Nanoseconds {
        guard let journal = instruments?.journal else { return .none }
        journal.beginItem()
        guard journal.isTimed else { return .none }
        endWait(trace)
        let waited = trace.sent == .zero ? .zero : journal.read() - trace.sent
        journal.counters?.noteEvent(waited: waited)
        return waited
    }

    /// Applies an effect while its event is being handled, and writes its record before observers receive the new state.
    @inlinable @inline(never)
    func applyInTrace(_ effect: Effect) {
        // What follows from the effect is caused by the effect's record, and nobody awaits it by itself. Moving these two
        // costs less than copying the trace.
        let (cause, asker) = (trace.cause, trace.asker.take())
        inTransit {
            fold(effect) { before, after in
                trace.cause = record(.effect(effect, before: before, after: after), cause: cause, times: timesOfEffect)
            }
        }
        (trace.cause, trace.asker) = (cause, asker)
    }

    /// Applies an effect that came through the mailbox, and writes its record before observers receive the new state.
    @inlinable
    func applyTraced(_ effect: Effect, _ trace: Trace) {
        let outer = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        self.trace.transformTime = trace.transformTime
        inTransit {
            fold(effect) { before, after in
                // What observers send when they receive the state is caused by this record.
                let number = record(
                    .effect(effect, before: before, after: after), cause: trace.cause, times: timesOfEffect)
                self.trace.cause = number
            }
        }
        if let gate { endTurn(gate) }
        endTrace(outer)
    }

    /// The times in the record of an effect that has just been applied.
    @inlinable var timesOfEffect: RecordTimes {
        RecordTimes(transform: trace.transformTime, apply: instruments?.journal?.applyTime ?? .none)
    }

    /// Sets the trace of what this thread handles from here on.
    ///
    /// - Returns: The trace and the thread before, for ``endTrace(_:)``.
    @inlinable
    func beginTrace(_ trace: Trace) -> (Trace, thread: UInt) {
        let before = (self.trace, tracedThread.load(ordering: .relaxed))
        self.trace = trace
        tracedThread.store(currentThread(), ordering: .relaxed)
        return before
    }

    @inlinable
    func endTrace(_ before: (Trace, thread: UInt)) {
        trace = before.0
        tracedThread.store(before.thread, ordering: .relaxed)
    }

    /// The trace of the item being handled, if the calling thread is handling it: what is sent now is caused by that item.
    @inlinable
    var traceOfCaller: Trace? { isHandledHere ? keptTrace : nil }

    /// The trace of the item that is being handled, for something that outlives it. From now on there is something to wait for.
    @inlinable
    var keptTrace: Trace {
        if let stage = trace.awaitedUntil { makeSettlement(until: stage) }
        return trace
    }

    /// From now on all items have a trace. The owner's.
    @usableFromInline
    func keepTraces() {
        if tracedThread.load(ordering: .relaxed) == 0 { tracedThread.store(1, ordering: .relaxed) }
    }

    /// Whether the calling thread is handling an item of this loop. Always false if no traces are kept.
    @inlinable
    var isHandledHere: Bool {
        let thread = tracedThread.load(ordering: .relaxed)
        return thread > 1 && thread == currentThread()
    }

    /// The number of the record that causes what the calling thread does now, if that thread is handling an item of this loop and
    /// a journal is kept.
    @usableFromInline
    var causeHere: Int? { isHandledHere ? trace.cause : nil }

    /// Whether a journal is kept.
    @inlinable @inline(__always)
    var isRecording: Bool { instruments?.journal?.isOpen == true }

    /// Writes a record, if a journal is kept. Only the owner calls this.
    ///
    /// - Parameters:
    ///   - step: What is recorded. Only evaluated if a journal is kept.
    ///   - cause: The number of the record that caused it, if any.
    ///   - times: How long the recorded step took.
    ///   - context: The carried task-locals; if nil, those of the current trace.
    /// - Returns: The record's number; nil if no journal is kept.
    @inlinable @discardableResult
    func record(
        _ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?, times: RecordTimes = RecordTimes(),
        context: CarriedContext? = nil
    ) -> Int? {
        guard let journal = instruments?.journal, journal.isOpen else { return nil }
        return journal.write(step(), cause: cause, times: times, context: context ?? trace.context)
    }

    @usableFromInline
    func take(_ note: Note, cause: Int?) -> Int? {
        guard let journal = instruments?.journal, journal.isOpen else { return nil }
        // From inside the loop at once, unless the journal is being called; otherwise in its turn.
        if isHandledHere, !journal.isWriting { return record(note.step(), cause: cause ?? trace.cause) }
        take(.record(note.step(), cause: cause))
        return nil
    }

    @usableFromInline
    func replaceCause(_ number: Int?) -> Int? {
        guard isHandledHere else { return nil }
        defer { trace.cause = number }
        return trace.cause
    }
}

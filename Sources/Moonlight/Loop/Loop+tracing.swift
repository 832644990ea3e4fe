import Streams
import Synchronization

// What a loop does beyond the plain: it keeps its journal, counts steps, and knows what causes what.
//
// All of it is inlinable, so that it is specialised where the loop's types are known: a step that is not costs ten times
// as much.
extension Loop {
    /// Handles an event, and passes on what it comes from to everything that it causes.
    @inlinable
    func handleTraced(_ event: Event, _ trace: Trace) {
        guard !cancellation.isCancelled, program != nil else { return trace.refuse(.ended) }
        if let context = trace.context { context.bind { handleBound(event, trace) } } else { handleBound(event, trace) }
    }

    /// Handles an event in its sender's context.
    @inlinable
    func handleBound(_ event: Event, _ trace: Trace) {
        trace.asker?.begin()
        let waited = beginEvent(trace)
        // What the journal or `onRunaway` sends from here comes from outside.
        let number = record(.event(event), cause: trace.cause, times: RecordTimes(waited: waited), context: trace.context)
        if let instruments, instruments.counts,
            let report = instruments.count(event, isFromOutside: trace.isFromOutside)
        {
            record(.runaway(steps: report.steps, chain: report.chain), cause: number, context: trace.context)
            // The journal may have cancelled it.
            if !cancellation.isCancelled { instruments.onRunaway?(report) }
            if instruments.endsRunaway { cancel() }
        }
        let before = beginTrace(Trace(cause: number, settlement: trace.settlement, context: trace.context))
        self.trace.asker = trace.asker
        instruments?.beginCall()
        if let error = transformAndRun(event, decided: { self.trace.transformTime = instruments?.endCall() ?? .none }) {
            record(.rejected(event, error), cause: number, times: RecordTimes(transform: instruments?.endCall() ?? .none))
            trace.refuse(.rejected(error))
        }
        // In the event's own item: the state is read before anything else can change it.
        if let asker = trace.asker, !cancellation.isCancelled { asker.decide() }
        endTrace(before)
        instruments?.endItem()
    }

    /// The loop takes up an event.
    ///
    /// - Returns: How long that has waited; none if nobody asks.
    @inlinable
    func beginEvent(_ trace: Trace) -> Nanoseconds {
        guard let instruments else { return .none }
        instruments.beginItem()
        guard instruments.isTimed else { return .none }
        endWait(trace)
        let waited = trace.sent == .zero ? .zero : instruments.read() - trace.sent
        instruments.counters?.noteEvent(waited: waited)
        return waited
    }

    /// Applies an effect in the course of its event, and writes down what it did before anybody is told of the new state.
    @inlinable @inline(never)
    func applyInTrace(_ effect: Effect) {
        // Nobody waits for what the effect leads to, and that is caused by its record. To move these two is less than to copy the trace.
        let (cause, asker) = (trace.cause, trace.asker.take())
        inTransit {
            fold(effect) { before, after in
                trace.cause = record(.effect(effect, before: before, after: after), cause: cause, times: timesOfEffect)
            }
        }
        (trace.cause, trace.asker) = (cause, asker)
    }

    /// The same for one that comes later.
    @inlinable
    func applyTraced(_ effect: Effect, _ trace: Trace) {
        let outer = beginTrace(Trace(cause: trace.cause, settlement: trace.settlement, context: trace.context))
        self.trace.transformTime = trace.transformTime
        inTransit {
            fold(effect) { before, after in
                // What observers send when they are told is caused by this record.
                let number = record(
                    .effect(effect, before: before, after: after), cause: trace.cause, times: timesOfEffect)
                self.trace.cause = number
            }
        }
        endTrace(outer)
    }

    /// What the record of an effect says that has just been applied.
    @inlinable var timesOfEffect: RecordTimes {
        RecordTimes(transform: trace.transformTime, apply: instruments?.applyTime ?? .none)
    }

    /// What happens from here on, on this thread, is caused by what the trace says.
    ///
    /// - Returns: What was before, for ``endTrace(_:)``.
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

    /// What something that is sent just now comes from, if this thread is the one that is handling an item.
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

    /// Whether this thread is the one that is handling an item, of a loop that keeps traces.
    @inlinable
    var isHandledHere: Bool {
        let thread = tracedThread.load(ordering: .relaxed)
        return thread > 1 && thread == currentThread()
    }

    /// Writes a record, if a journal is kept. The owner's.
    ///
    /// - Parameters:
    ///   - times: How long what it tells of has taken.
    ///   - context: What is carried, if it is not what the trace of the item that is handled says.
    /// - Returns: Its number.
    @inlinable @discardableResult
    func record(
        _ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?, times: RecordTimes = RecordTimes(),
        context: CarriedContext? = nil
    ) -> Int? {
        guard let instruments, instruments.journal != nil else { return nil }
        return instruments.write(step(), cause: cause, times: times, context: context ?? trace.context)
    }

    @usableFromInline
    func take(_ note: Note, cause: Int?) -> Int? {
        guard let instruments, instruments.journal != nil else { return nil }
        // At once from inside the loop, but not from inside the journal; else in its turn.
        if isHandledHere, !instruments.isWriting { return record(note.step(), cause: cause ?? trace.cause) }
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

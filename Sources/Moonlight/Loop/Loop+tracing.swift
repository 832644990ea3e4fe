import Streams
import Synchronization

// What a loop does beyond the plain: it keeps its journal, counts steps, and knows what causes what.
extension Loop {
    /// Handles an event, and passes on what it comes from to everything that it causes.
    @usableFromInline
    func handleTraced(_ event: Event, _ trace: Trace) {
        guard !isCancelled.isSet, state != nil else { return }
        let number = record(.event(event), cause: trace.cause)
        if let report = instruments?.count(event, isFromOutside: trace.isFromOutside) {
            record(.runaway(steps: report.steps, chain: report.chain), cause: number)
            instruments?.onRunaway?(report)
        }
        withTrace(Trace(cause: number, settlements: trace.settlements)) {
            guard let error = transformAndRun(event) else { return }
            record(.rejected(event, error), cause: number)
            trace.reject(.rejected(error))
        }
    }

    /// Applies an effect, and writes down what it did before anybody is told of the new state.
    @usableFromInline
    func applyTraced(_ effect: Effect, _ trace: Trace) {
        withTrace(trace) {
            fold(effect) { before, after in
                // What observers send when they are told is caused by this record.
                let number = record(.effect(effect, before: before, after: after), cause: trace.cause)
                self.trace.cause = number
            }
        }
    }

    /// Lets what happens meanwhile, on this thread, be caused by what the trace says.
    private func withTrace(_ trace: Trace, _ body: () -> Void) {
        let (before, thread) = (self.trace, tracedThread.load(ordering: .relaxed))
        self.trace = trace
        tracedThread.store(currentThread(), ordering: .relaxed)
        body()
        self.trace = before
        tracedThread.store(thread, ordering: .relaxed)
    }

    /// What something that is sent just now comes from, if this thread is the one that is handling an item.
    @usableFromInline
    var traceOfCaller: Trace? {
        let thread = tracedThread.load(ordering: .relaxed)
        return thread != 0 && thread == currentThread() ? trace : nil
    }

    /// Writes a record, if a journal is kept. The owner's.
    ///
    /// - Returns: Its number.
    @usableFromInline @discardableResult
    func record(_ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?) -> Int? {
        guard let instruments, instruments.journal != nil else { return nil }
        return instruments.write(step(), cause: cause)
    }

    @usableFromInline
    func take(_ note: Note, cause: Int?) { recordInTurn(note.step(), cause: cause) }

    /// Writes a record: at once from inside the loop, else in its turn.
    @usableFromInline
    func recordInTurn(_ step: @autoclosure () -> JournalRecord<State, Event, Effect>.Step, cause: Int?) {
        guard instruments?.journal != nil else { return }
        if let trace = traceOfCaller {
            record(step(), cause: cause ?? trace.cause)
        } else {
            take(.record(step(), cause: cause))
        }
    }
}

import Moonlight
import Streams

/// A log that was opened, for the loop that goes on with it.
@usableFromInline
struct OpenedLog<State: Equatable & Sendable, Event: Sendable, Effect: Sendable> {
    @usableFromInline let state: State
    @usableFromInline let turns: DurableTurns<State, Event, Effect>

    /// Returns the options of the loop, whose hot calls are specialized where this is inlined.
    @inlinable
    func options(_ options: LoopOptions<State, Event, Effect>) -> LoopOptions<State, Event, Effect> {
        turns.specialise()
        return adding(to: options)
    }

    @usableFromInline
    func adding(to options: LoopOptions<State, Event, Effect>) -> LoopOptions<State, Event, Effect> {
        var options = options
        options.hook = OutputGate(turns)
        return options
    }
}

extension Durable {
    /// Recovers the state, decides about interrupted work, and begins to write.
    ///
    /// - Parameter interrupted: Says what is to become of interrupted work.
    @usableFromInline
    func open<Environment>(
        _ reducer: Reducer<State, Event, Effect, Environment>, _ initialState: State,
        isolation: isolated (any Actor)? = #isolation,
        _ interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) async throws(DurabilityError) -> OpenedLog<State, Event, Effect> {
        let executor = LogExecutor(named: "log")
        let coding = coding
        let snapshots: [UInt64]
        do { snapshots = try await withTaskExecutorPreference(executor) { try await storage.open() } } catch {
            throw DurabilityError(wrapping: error)
        }
        do {
            var recovered = try await withTaskExecutorPreference(executor) {
                try await coding.recover(storage, snapshots, reducer, from: initialState, keys: keys)
            }
            let (decisions, leftOver) = try decide(&recovered, reducer, interrupted)
            let ready = recovered
            let turns = try await withTaskExecutorPreference(executor) { try await begin(ready, decisions, leftOver, coding) }
            let worker = LogWorker(storage, coding, acknowledge, keepsHistory: keepsHistory, turns)
            // The task ends when the loop has: it is not that of whoever opens the store.
            Task.detached(executorPreference: executor) { await worker.run() }
            return OpenedLog(state: ready.state, turns: turns)
        } catch {
            await withTaskExecutorPreference(executor) { await storage.close() }
            throw DurabilityError(wrapping: error)
        }
    }

    /// Asks what is to become of the work that is open.
    ///
    /// - Returns: The entries by which the answers are noted, in one record, and the events that the loop handles first.
    func decide<Environment>(
        _ recovered: inout Recovered<State, Event, Effect>, _ reducer: Reducer<State, Event, Effect, Environment>,
        _ interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) throws -> (entries: [LogEntry<Event, Effect>], leftOver: [LeftOver<Event>]) {
        try recovered.decide(reducer, interrupted)
    }

    private func begin(
        _ recovered: Recovered<State, Event, Effect>, _ decisions: [LogEntry<Event, Effect>], _ leftOver: [LeftOver<Event>],
        _ coding: SnapshotCoding<State, Event, Effect>
    ) async throws -> DurableTurns<State, Event, Effect> {
        let last = decisions.isEmpty ? recovered.last : recovered.last - 1
        try await storage.begin(after: last)
        var payload = ByteWriter()
        for entry in decisions { try coding.entries.append(entry, to: &payload) }
        let handle = Durability(recovered.report)
        let writer = LogWriter<State, Event, Effect>(acknowledge, schedule: schedule)
        let turns = DurableTurns(
            recovered, leftOver: leftOver, writer: writer, handle: handle, identity: await storage.identity,
            entries: coding.entries, largest: await storage.largestPayload, snapshotEvery: snapshotEvery, now: now)
        if !decisions.isEmpty {
            let record = LogRecord(sequence: recovered.last, schema: effects.version, payload: payload.bytes)
            try await storage.append([record], synced: true)
        }
        handle.connect(turns)
        return turns
    }
}

import Moonlight
import Streams

/// A log that was opened, for the loop that continues it.
@usableFromInline
struct OpenedLog<State: Equatable & Sendable, Event: Sendable, Effect: Sendable> {
    @usableFromInline let state: State
    let turns: StoreTurns<State, Event, Effect>

    /// Returns the options of the loop.
    @usableFromInline
    func options(_ options: LoopOptions<State, Event, Effect>) -> LoopOptions<State, Event, Effect> {
        var options = options
        options.hook = OutputGate(turns)
        return options
    }
}

extension Durable {
    /// Recovers the state, decides about interrupted work, and begins to write.
    ///
    /// - Parameter interrupted: Decides about interrupted work.
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
                try await coding.recover(RecoverySource(storage, snapshots), reducer, from: initialState, keys: keys)
            }
            let (decisions, leftOver) = try recovered.decide(reducer, interrupted)
            let ready = recovered
            let turns = try await withTaskExecutorPreference(executor) { try await begin(ready, decisions, leftOver, coding) }
            // Detached from the caller, since the task ends with the loop.
            Task.detached(executorPreference: executor) { await turns.run() }
            return OpenedLog(state: ready.state, turns: turns)
        } catch {
            await withTaskExecutorPreference(executor) { await storage.close() }
            throw DurabilityError(wrapping: error)
        }
    }

    private func begin(
        _ recovered: Recovered<State, Event, Effect>, _ decisions: [LogEntry<Event, Effect>], _ leftOver: [LeftOver<Event>],
        _ coding: SnapshotCoding<State, Event, Effect>
    ) async throws -> StoreTurns<State, Event, Effect> {
        try await storage.begin(after: decisions.isEmpty ? recovered.last : recovered.last - 1)
        if !decisions.isEmpty {
            try await storage.append([coding.entries.record(of: decisions, at: recovered.last)], synced: true)
        }
        let settings = TurnSettings(
            coding, LogWriter(acknowledge, schedule: schedule), identity: await storage.identity,
            largest: await storage.largestPayload, snapshotEvery: snapshotEvery, keys: keys, now: now)
        let handle = Durability(recovered.report)
        let turns = StoreTurns(settings, recovered, leftOver, storage, keepsHistory: keepsHistory, handle)
        handle.connect(turns)
        return turns
    }
}

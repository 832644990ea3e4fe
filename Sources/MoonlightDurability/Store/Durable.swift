import Moonlight
import Streams

/// A description of the durability of a store: the place of its log, the coding of its values, and the degree of durability.
///
/// ```swift
/// let orders = try await Store(
///     reducer: orders, initialState: Orders(), environment: world,
///     durable: .folder("orders", schema: Schema(OrderEffect.self, version: 2), snapshotEvery: 10_000)
/// ) { interrupted in .send(.retry(interrupted.event, key: interrupted.key)) }
/// ```
public struct Durable<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    let storage: any LogBackend
    let effects: Schema<Effect>
    let states: Schema<State>
    let events: Schema<Event>?
    let acknowledge: Acknowledgment
    let snapshotEvery: Int
    let keepsHistory: Bool
    let keys: KeyWindow
    let reducerVersion: UInt32
    let believing: Set<UInt32>
    /// The wall clock, in nanoseconds since 1970. Set by tests.
    package var now: @Sendable () -> Int64 = { WallTime.now.sinceEpoch.nanoseconds }
    /// Calls a closure after a time. Set by tests.
    package var schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = callLater

    /// Creates a description for events that are not `Codable`, or are not to be written as JSON.
    ///
    /// - Parameters:
    ///   - storage: The place of the log. A storage is used by one store, and opened once.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots.
    ///   - events: The schema of events, for interrupted work. If nil, no work is recorded: none is handed back after a crash,
    ///     and ``DurableWork/current`` is nil. Use nil only for a reducer whose streams of effects are all ready at once.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects after which a snapshot is made.
    ///   - keepsHistory: True if all records are kept, and not only those after the older of the last two snapshots.
    ///   - keys: The number of idempotency keys that are remembered, and the time.
    ///   - reducerVersion: The version of `apply`. Raise it when the meaning of effects changes: snapshots of other versions are
    ///     skipped.
    ///   - believing: Other reducer versions whose snapshots are used.
    public init(
        storage: any LogStorage, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) {
        precondition(snapshotEvery > 0, "snapshotEvery must be at least 1, but is \(snapshotEvery); use .max for none")
        self.storage = storage.backend
        effects = schema
        states = state
        self.events = events
        self.acknowledge = acknowledge
        self.snapshotEvery = snapshotEvery
        self.keepsHistory = keepsHistory
        self.keys = keys
        self.reducerVersion = reducerVersion
        self.believing = believing
    }

    var coding: SnapshotCoding<State, Event, Effect> {
        SnapshotCoding(
            states: states, entries: EntryCoding(effects: effects, events: events), reducerVersion: reducerVersion,
            believedReducers: believing)
    }
}

extension Durable where Event: Codable {
    /// Creates a description for events that are written as JSON.
    ///
    /// - Parameters:
    ///   - storage: The place of the log. A storage is used by one store, and opened once.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects after which a snapshot is made.
    ///   - keepsHistory: True if all records are kept, and not only those after the older of the last two snapshots.
    ///   - keys: The number of idempotency keys that are remembered, and the time.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: Other reducer versions whose snapshots are used.
    public init(
        storage: any LogStorage, schema: Schema<Effect>, state: Schema<State>,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) {
        self.init(
            storage: storage, schema: schema, state: state, events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }
}

extension Durable where State: Codable, Event: Codable {
    /// A log in a folder, with the events of interrupted work as JSON. For another schema of events, use
    /// ``init(storage:schema:state:events:acknowledge:snapshotEvery:keepsHistory:keys:reducerVersion:believing:)`` with a
    /// ``FolderStorage``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it does not exist.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots: JSON, of version 1.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects after which a snapshot is made.
    ///   - keepsHistory: True if all records are kept, and not only those after the older of the last two snapshots.
    ///   - keys: The number of idempotency keys that are remembered, and the time.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: Other reducer versions whose snapshots are used.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State> = Schema(State.self),
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) -> Durable {
        Durable(
            storage: FolderStorage(path), schema: schema, state: state, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }
}

/// The degree of durability at which states, answers and work are published.
public enum Acknowledgment: Sendable, Hashable {
    /// After the sync: they survive a loss of power.
    case afterSync
    /// After the write: they survive the end of the process, but not a loss of power. They are synced within a second.
    case afterWrite
    /// At once. Records are written and synced at this interval; a crash loses those since the last one.
    ///
    /// While more than 65,536 turns wait to be written, results are published only after the write, so that senders that await
    /// their answers do not outrun the disk.
    case later(every: Duration)
}

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

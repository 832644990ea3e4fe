import Moonlight
import Streams

/// The storage of a durable fleet, with the task that writes to it.
final class DurableHome<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    private let durable: DurableFleet<State, Event, Effect>
    private let time: FleetTime
    private let writer: LogWriter
    private let guarded = Lock<(settings: TurnSettings<State, Event, Effect>?, writing: Task<Void, Never>?)>((nil, nil))

    init(_ durable: DurableFleet<State, Event, Effect>, _ time: FleetTime) {
        self.durable = durable
        self.time = time
        writer = LogWriter(durable.acknowledge) { time.at(time.now().plus($0.nanoseconds), $1) }
    }

    /// Opens the storage, begins to write, and sets the alarms of the members that are asleep.
    func open(_ core: FleetCore<State, Event>) async throws {
        let storage = durable.storage
        let dues = try await storage.open()
        let largest = await storage.largestPayload
        let settings = TurnSettings(
            durable.coding, writer, identity: await storage.identity, largest: largest, snapshotEvery: durable.snapshotEvery,
            keys: durable.keys, now: time.wall)
        let target = LogWriter.Target(
            largest: largest, append: { try await storage.append($0, synced: $1) }, sync: { try await storage.sync() },
            close: { await storage.close() }, retriesSync: true, note: { [weak core] failure in core?.note { $0.note(failure) } })
        let writing = Task.detached(executorPreference: LogExecutor(named: "fleet")) { [writer] in await writer.run(target) }
        guarded.withLock { $0 = (settings, writing) }
        core.setAlarms(dues)
    }

    /// Reads the log of a member, decides about interrupted work, and creates the writer of its loop's turns.
    func wake<Environment>(
        _ id: String, _ place: FleetPlace, _ core: FleetCore<State, Event>,
        _ reducer: Reducer<State, Event, Effect, Environment>, _ initialState: State,
        _ interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) async throws -> (state: State, turns: MemberTurns<State, Event, Effect>) {
        guard let settings = guarded.withLock({ $0.settings }) else { throw DurabilityError.closed }
        let source = RecoverySource(try await durable.storage.read(id), of: id)
        var recovered = try await settings.coding.recover(source, reducer, from: initialState, keys: durable.keys)
        let written = recovered.last
        let (decisions, leftOver) = try recovered.decide(reducer, interrupted)
        let turns = MemberTurns(id, place, core, settings, recovered, leftOver: leftOver, written: written)
        if !decisions.isEmpty { try turns.write(decisions) }
        return (recovered.state, turns)
    }

    /// Ends the task that writes, and closes the storage.
    func close() async {
        writer.close()
        await guarded.withLock { $0.writing }?.value
    }

    /// Removes the log of a member that has no loop, and waits until that is durable.
    func remove(_ id: String) async throws {
        try await writer.calling { [durable] in try await durable.storage.remove(id) }
    }
}

/// The opening of a fleet's storage, which begins when the fleet is created. Everything that needs the storage waits for it.
final class FleetOpening: Sendable {
    private let task = Lock<Task<Void, any Error>?>(nil)
    private let closing: @Sendable () async -> Void

    /// - Parameter close: Closes the storage; called once, and only if it was opened.
    init(close: @escaping @Sendable () async -> Void = {}) { closing = close }

    /// Begins to open. Called once, before anything waits.
    func begin(_ open: @escaping @Sendable () async throws -> Void) {
        let opening = Task.detached(executorPreference: LogExecutor(named: "fleet")) { try await open() }
        task.withLock { $0 = opening }
    }

    func opened() async throws(FleetError) {
        if case .failure(let error) = await task.withLock({ $0 })?.result { throw .unopened(DurabilityError(wrapping: error)) }
    }

    func close() async {
        if case .failure = await task.withLock({ $0 })?.result { return }
        await closing()
    }
}

import Moonlight
import Streams

/// The storage of a durable fleet, with the task that writes to it.
final class DurableHome<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    private let durable: DurableFleet<State, Event, Effect>
    private let alarm: FleetAlarm<State, Event>?
    private let time: FleetTime
    private let writer: FleetWriter
    private let guarded = Lock<(kit: MemberKit<State, Event, Effect>?, writing: Task<Void, Never>?)>((nil, nil))

    init(_ durable: DurableFleet<State, Event, Effect>, _ alarm: FleetAlarm<State, Event>?, _ time: FleetTime) {
        self.durable = durable
        self.alarm = alarm
        self.time = time
        writer = FleetWriter(durable.storage, durable.acknowledge) { time.after($0.nanoseconds, $1) }
    }

    /// Opens the storage, begins to write, and sets the alarms of the members that are asleep.
    func open(_ core: FleetCore<State, Event>) async throws {
        let dues = try await durable.storage.open()
        let largest = await durable.storage.largestPayload
        let kit = MemberKit(
            durable, writer, identity: await durable.storage.identity, largest: largest, alarm: alarm, now: time.wall)
        let writing = Task.detached(executorPreference: LogExecutor(named: "fleet")) { [writer, weak core] in
            await writer.run(largest: largest) { failure in core?.note { $0.note(failure) } }
        }
        guarded.withLock { $0 = (kit, writing) }
        core.setAlarms(dues)
    }

    /// What the members share; nil before the storage is open.
    var kit: MemberKit<State, Event, Effect>? { guarded.withLock { $0.kit } }

    /// Ends the task that writes, and closes the storage.
    func close() async {
        writer.close()
        await guarded.withLock { $0.writing }?.value
    }

    /// Removes the log of a member that has no loop.
    func remove(_ id: String) async throws { try await writer.remove(id) }

    /// Returns when everything so far is synced.
    func flush() async throws { try await writer.flush() }
}

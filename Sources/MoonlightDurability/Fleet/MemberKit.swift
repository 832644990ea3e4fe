import Moonlight
import Streams

/// What the durable members of a fleet share: how they are read and written.
final class MemberKit<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    let coding: SnapshotCoding<State, Event, Effect>
    let writer: FleetWriter
    let identity: UInt64
    /// The most bytes that the payload of a record may have.
    let largest: Int
    /// After how many effects a snapshot is made, while it is awake and when it falls asleep.
    let snapshotEvery: Int
    let restSnapshotAfter: Int
    let alarm: FleetAlarm<State, Event>?
    /// The wall clock, in nanoseconds since 1970.
    let now: @Sendable () -> Int64
    let keys: KeyWindow
    private let storage: any FleetBackend

    init(
        _ durable: DurableFleet<State, Event, Effect>, _ writer: FleetWriter, identity: UInt64, largest: Int,
        alarm: FleetAlarm<State, Event>?, now: @escaping @Sendable () -> Int64
    ) {
        (coding, snapshotEvery, restSnapshotAfter) = (durable.coding, durable.snapshotEvery, min(8, durable.snapshotEvery))
        (keys, storage) = (durable.keys, durable.storage)
        self.writer = writer
        self.identity = identity
        self.largest = largest
        self.alarm = alarm
        self.now = now
    }

    /// Reads the log of a member, decides about interrupted work, and makes what notes the turns of its loop.
    func open<Environment>(
        _ id: String, _ place: FleetPlace, _ core: FleetCore<State, Event>,
        _ reducer: Reducer<State, Event, Effect, Environment>, _ initialState: State,
        _ interrupted: (InterruptedWork<Event>) -> InterruptedWorkAnswer<Event, Effect>
    ) async throws -> (state: State, turns: MemberTurns<State, Event, Effect>) {
        let log = try await storage.read(id)
        var recovered = Recovered<State, Event, Effect>(state: initialState, book: LogBook(keys))
        if let snapshot = log.snapshot {
            if let doubt = coding.doubt(snapshot.versions) {
                throw DurabilityError.noSnapshot(reason: "that of record \(snapshot.sequence) is of \(doubt)")
            }
            recovered.state = try coding.read(snapshot, into: &recovered.book)
            recovered.last = snapshot.sequence
        }
        for record in log.records {
            guard record.sequence == recovered.last + 1 else {
                throw DurabilityError.missing(
                    from: recovered.last + 1, to: record.sequence, reason: "the log of \(id) has a gap")
            }
            try recovered.fold(record, coding.entries, reducer)
        }
        let written = recovered.last
        let (decisions, leftOver) = try recovered.decide(reducer, interrupted)
        let turns = MemberTurns(id, place, core, self, recovered, leftOver: leftOver, written: written)
        if !decisions.isEmpty { try turns.write(decisions) }
        return (recovered.state, turns)
    }
}

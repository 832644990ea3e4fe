import Moonlight

/// A description of the durability of a fleet's members: the place of their logs, the coding of their values, and the degree of
/// durability.
///
/// ```swift
/// let rooms = Fleet(
///     reducer: room, environment: { _ in world }, durable: .folder("rooms", schema: Schema(RoomEffect.self)),
///     initialState: { (id: RoomID) in Room(id) })
/// ```
public struct DurableFleet<State: Equatable & Sendable, Event: Sendable, Effect: Sendable>: Sendable {
    let storage: any FleetBackend
    let effects: Schema<Effect>
    let states: Schema<State>
    let events: Schema<Event>?
    let acknowledge: Acknowledgment
    let snapshotEvery: Int
    let keys: KeyWindow

    /// Creates a description for events that are not `Codable`, or are not to be written as JSON.
    ///
    /// - Parameters:
    ///   - storage: The place of the logs. A storage is used by one fleet, and opened once.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots.
    ///   - events: The schema of events, for interrupted work. If nil, no work is recorded: none is handed back after a crash,
    ///     and ``DurableWork/current`` is nil. Use nil only for a reducer whose streams of effects are all ready at once.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects of a member after which a snapshot of it is made. With fewer effects, members are
    ///     woken faster. A member that falls asleep makes a snapshot after eight effects, if that is less.
    ///   - keys: The number of idempotency keys that each member remembers, and the time.
    public init(
        storage: any FleetStorage, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) {
        precondition(snapshotEvery > 0, "snapshotEvery must be at least 1, but is \(snapshotEvery)")
        self.storage = storage.backend
        effects = schema
        states = state
        self.events = events
        self.acknowledge = acknowledge
        self.snapshotEvery = snapshotEvery
        self.keys = keys
    }

    var coding: SnapshotCoding<State, Event, Effect> {
        SnapshotCoding(
            states: states, entries: EntryCoding(effects: effects, events: events), reducerVersion: 1, believedReducers: [])
    }
}

extension DurableFleet where Event: Codable {
    /// Creates a description for events that are written as JSON.
    ///
    /// - Parameters:
    ///   - storage: The place of the logs. A storage is used by one fleet, and opened once.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects of a member after which a snapshot of it is made.
    ///   - keys: The number of idempotency keys that each member remembers, and the time.
    public init(
        storage: any FleetStorage, schema: Schema<Effect>, state: Schema<State>, acknowledge: Acknowledgment = .afterSync,
        snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) {
        self.init(
            storage: storage, schema: schema, state: state, events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }
}

extension DurableFleet where State: Codable, Event: Codable {
    /// Logs in a folder, with the events of interrupted work as JSON. For another schema of events, use
    /// ``init(storage:schema:state:events:acknowledge:snapshotEvery:keys:)`` with a ``FleetFolder``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it does not exist.
    ///   - schema: The schema of effects.
    ///   - state: The schema of states, for snapshots: JSON, of version 1.
    ///   - acknowledge: The degree of durability at which results are published.
    ///   - snapshotEvery: The number of effects of a member after which a snapshot of it is made.
    ///   - keys: The number of idempotency keys that each member remembers, and the time.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State> = Schema(State.self),
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) -> DurableFleet {
        DurableFleet(
            storage: FleetFolder(path), schema: schema, state: state, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }
}

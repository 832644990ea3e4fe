import Moonlight

/// How the members of a fleet are kept: where their logs are, how their values are written, and when what they do may be told.
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

    /// Creates a description of how the members are kept, for events that are not `Codable`, or are to be written otherwise than as JSON.
    ///
    /// - Parameters:
    ///   - storage: Where the logs are. For one fleet only, and for one opening.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - events: How events are written, for work that is interrupted. With nil, no work is noted: none is handed back after a crash, and
    ///     ``DurableWork/current`` is nil. That is only for a reducer whose streams of effects are all ready at once.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made; the less, the faster it is woken. One that falls
    ///     asleep makes a snapshot after eight, if that is less.
    ///   - keys: For how long each member remembers the keys of senders.
    public init(
        storage: any FleetStorage, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) {
        precondition(snapshotEvery > 0, "snapshotEvery must be at least 1")
        guard let storage = storage as? any FleetBackend else { preconditionFailure("\(type(of: storage)) is no FleetBackend") }
        self.storage = storage
        effects = schema
        states = state
        self.events = events
        self.acknowledge = acknowledge
        self.snapshotEvery = snapshotEvery
        self.keys = keys
    }

    /// Logs in a folder, for events that are not `Codable`, or are to be written otherwise than as JSON: see ``FleetFolder``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - events: How events are written, for work that is interrupted; nil if no work is noted, and so none is handed back.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made.
    ///   - keys: For how long each member remembers the keys of senders.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) -> DurableFleet {
        DurableFleet(
            storage: FleetFolder(path), schema: schema, state: state, events: events, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }

    var coding: SnapshotCoding<State, Event, Effect> {
        SnapshotCoding(
            states: states, entries: EntryCoding(effects: effects, events: events), reducerVersion: 1, believedReducers: [])
    }
}

extension DurableFleet where Event: Codable {
    /// Creates a description of how the members are kept, with the events of work that is interrupted as JSON.
    ///
    /// - Parameters:
    ///   - storage: Where the logs are. For one fleet only, and for one opening.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made; the less, the faster it is woken.
    ///   - keys: For how long each member remembers the keys of senders.
    public init(
        storage: any FleetStorage, schema: Schema<Effect>, state: Schema<State>, acknowledge: Acknowledgment = .afterSync,
        snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) {
        self.init(
            storage: storage, schema: schema, state: state, events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }

    /// Logs in a folder, with the events of work that is interrupted as JSON: see ``FleetFolder``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made.
    ///   - keys: For how long each member remembers the keys of senders.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State>, acknowledge: Acknowledgment = .afterSync,
        snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) -> DurableFleet {
        .folder(
            path, schema: schema, state: state, events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }
}

extension DurableFleet where State: Codable {
    /// Logs in a folder, with snapshots as JSON: see ``FleetFolder``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there.
    ///   - schema: How effects are written and read.
    ///   - events: How events are written, for work that is interrupted; nil if no work is noted, and so none is handed back.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made.
    ///   - keys: For how long each member remembers the keys of senders.
    public static func folder(
        _ path: String, schema: Schema<Effect>, events: Schema<Event>?, acknowledge: Acknowledgment = .afterSync,
        snapshotEvery: Int = 100, keys: KeyWindow = .latest(100)
    ) -> DurableFleet {
        .folder(
            path, schema: schema, state: Schema(State.self), events: events, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }
}

extension DurableFleet where State: Codable, Event: Codable {
    /// Logs in a folder, with snapshots and the events of work that is interrupted as JSON: see ``FleetFolder``.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there.
    ///   - schema: How effects are written and read.
    ///   - acknowledge: When what a member does may be told.
    ///   - snapshotEvery: After how many effects of a member a snapshot of it is made.
    ///   - keys: For how long each member remembers the keys of senders.
    public static func folder(
        _ path: String, schema: Schema<Effect>, acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 100,
        keys: KeyWindow = .latest(100)
    ) -> DurableFleet {
        .folder(
            path, schema: schema, state: Schema(State.self), events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keys: keys)
    }
}

import Moonlight

/// How a store is kept: where its log is, how its values are written, and when what it does may be told.
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
    /// The wall clock, in nanoseconds since 1970, and what calls back after a time. Set by tests.
    package var now: @Sendable () -> Int64 = { WallTime.now.sinceEpoch.nanoseconds }
    package var schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = callLater

    /// Creates a description of how a store is kept, for events that are not `Codable`, or are to be written otherwise than as JSON.
    ///
    /// - Parameters:
    ///   - storage: Where the log is. For one store only, and for one opening.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - events: How events are written, for work that is interrupted. With nil, no work is noted: none is handed back after a crash, and
    ///     ``DurableWork/current`` is nil. That is only for a reducer whose streams of effects are all ready at once.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`. Raise it when effects come to mean something else: snapshots of other versions are
    ///     not believed.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
    public init(
        storage: any LogStorage, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) {
        precondition(
            snapshotEvery > 0, "snapshotEvery must be at least 1; use .max for no snapshots but those that are asked for")
        guard let storage = storage as? any LogBackend else { preconditionFailure("\(type(of: storage)) is no LogBackend") }
        self.storage = storage
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

    /// A log in a folder, for events that are not `Codable`, or are to be written otherwise than as JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there. See ``FolderStorage``.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - events: How events are written, for work that is interrupted; nil if no work is noted, and so none is handed back.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) -> Durable {
        Durable(
            storage: FolderStorage(path), schema: schema, state: state, events: events, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }

    var coding: SnapshotCoding<State, Event, Effect> {
        SnapshotCoding(
            states: states, entries: EntryCoding(effects: effects, events: events), reducerVersion: reducerVersion,
            believedReducers: believing)
    }
}

extension Durable where Event: Codable {
    /// Creates a description of how a store is kept, with the events of work that is interrupted as JSON.
    ///
    /// - Parameters:
    ///   - storage: Where the log is. For one store only, and for one opening.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
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

    /// A log in a folder, with the events of work that is interrupted as JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there. See ``FolderStorage``.
    ///   - schema: How effects are written and read.
    ///   - state: How states are written in snapshots.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
    public static func folder(
        _ path: String, schema: Schema<Effect>, state: Schema<State>,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) -> Durable {
        .folder(
            path, schema: schema, state: state, events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }
}

extension Durable where State: Codable {
    /// A log in a folder, with snapshots as JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there. See ``FolderStorage``.
    ///   - schema: How effects are written and read.
    ///   - events: How events are written, for work that is interrupted; nil if no work is noted, and so none is handed back.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
    public static func folder(
        _ path: String, schema: Schema<Effect>, events: Schema<Event>?,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) -> Durable {
        .folder(
            path, schema: schema, state: Schema(State.self), events: events, acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }
}

extension Durable where State: Codable, Event: Codable {
    /// A log in a folder, with snapshots and the events of work that is interrupted as JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the folder, which is made if it is not there. See ``FolderStorage``.
    ///   - schema: How effects are written and read.
    ///   - acknowledge: When what the store does may be told.
    ///   - snapshotEvery: After how many effects a snapshot is made.
    ///   - keepsHistory: Whether everything is kept, and not only what the last two snapshots need.
    ///   - keys: For how long the keys of senders are remembered.
    ///   - reducerVersion: The version of `apply`.
    ///   - believing: The versions of reducers whose snapshots are believed all the same.
    public static func folder(
        _ path: String, schema: Schema<Effect>,
        acknowledge: Acknowledgment = .afterSync, snapshotEvery: Int = 10_000, keepsHistory: Bool = false,
        keys: KeyWindow = .latest(10_000), reducerVersion: UInt32 = 1, believing: Set<UInt32> = []
    ) -> Durable {
        .folder(
            path, schema: schema, state: Schema(State.self), events: Schema(Event.self), acknowledge: acknowledge,
            snapshotEvery: snapshotEvery, keepsHistory: keepsHistory, keys: keys, reducerVersion: reducerVersion,
            believing: believing)
    }
}

/// A place for the logs of a fleet's members: a folder (``FleetFolder``), or the storage of another library, such as a database.
///
/// Authors of storages implement `FleetBackend`: `@_spi(Storage) import MoonlightDurability`.
public protocol FleetStorage: AnyObject, Sendable {}

/// The methods of a storage for the logs of a fleet's members.
///
/// Each member has its own log, by its id. Two ids are the same if their UTF-8 bytes are. A log has the newest snapshot and
/// records, numbered from 1 without gaps. A database needs two tables: records by (id, sequence), and snapshots and due times by
/// id.
///
/// A fleet calls ``open()`` first and ``close()`` last. Between them, one task calls ``append(_:synced:)``, ``remove(_:)`` and
/// ``sync()``, one after another, while any number of tasks may call ``read(_:)``, ``ids(after:limit:)`` and ``count()``. A fleet
/// never reads a member while it appends to it or removes it. The methods may block: they are not called on the cooperative pool.
/// They throw ``DurabilityError``; any other error is passed on as ``DurabilityError/storage(_:)``.
@_spi(Storage) public protocol FleetBackend: FleetStorage {
    /// A number that identifies the logs of this fleet. It never changes.
    var identity: UInt64 { get async }

    /// The maximum size of the payload of a record or of a snapshot in bytes, 128 MB by default. An effect that does not fit is
    /// refused before it is applied, and a snapshot that does not fit is not made. An append has at most 4 MB, or one record or
    /// snapshot. Read when the logs are open.
    var largestPayload: Int { get async }

    /// Opens the logs for one fleet.
    ///
    /// - Returns: The members that must be awake at some time, each with the ``MemberAppend/due`` of its last append, in no
    ///   order.
    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if another fleet has them open, unless ``append(_:synced:)`` finds that
    ///   out. Nothing is open after an error.
    func open() async throws -> [(id: String, due: Int64)]

    /// Reads the log of a member: its newest snapshot, and the records after it, in order.
    ///
    /// - Returns: The log; an empty one if the member does not exist.
    func read(_ id: String) async throws -> MemberLog

    /// Appends to the logs of members. The appends are of different members.
    ///
    /// - Parameters:
    ///   - batch: The appends, each of which is atomic.
    ///   - synced: True if the appends must survive a loss of power when this returns. Otherwise they must survive the end of the
    ///     process.
    /// - Returns: For each append, in order, nil if it was made, or the reason why it was not; nothing of it is in the log then.
    ///   The reason is ``DurabilityError/conflict(id:expected:)`` if another owner has appended to that log meanwhile.
    /// - Throws: An error after which it is unknown which appends were made. The fleet reads those members again before it
    ///   appends to them.
    func append(_ batch: [MemberAppend], synced: Bool) async throws -> [DurabilityError?]

    /// Removes the log of a member durably: records, snapshot and due time. A new log of the member has records from 1 on. Does
    /// nothing if the member does not exist.
    ///
    /// - Parameter id: The member. Its log is removed even if it cannot be read.
    func remove(_ id: String) async throws

    /// Makes all appends durable.
    func sync() async throws

    /// Returns some of the ids of all members that have a log, in the storage's order.
    ///
    /// - Parameters:
    ///   - cursor: The `next` of the previous page; nil for the first.
    ///   - limit: The maximum number of ids to return.
    /// - Returns: The ids, and the cursor of the next page; nil if this is the last one. Over all pages, each id that existed
    ///   when the first page was read is returned at least once.
    func ids(after cursor: String?, limit: Int) async throws -> (ids: [String], next: String?)

    /// The number of members that have a log.
    func count() async throws -> Int

    /// Closes the logs, so that another fleet can open them.
    func close() async
}

@_spi(Storage) extension FleetBackend {
    /// 128 MB.
    public var largestPayload: Int { 1 << 27 }
}

/// The content of a member's log.
@_spi(Storage) public struct MemberLog: Sendable, Hashable {
    /// The newest snapshot; nil if there is none.
    public let snapshot: LogSnapshot?
    /// The records after the snapshot, in order; all records if there is no snapshot.
    public let records: [LogRecord]

    /// Creates the description of a log.
    ///
    /// - Parameters:
    ///   - snapshot: The newest snapshot; nil if there is none.
    ///   - records: The records after it, in order.
    public init(snapshot: LogSnapshot? = nil, records: [LogRecord] = []) {
        self.snapshot = snapshot
        self.records = records
    }

    /// The last record; 0 if there is none.
    public var last: UInt64 { max(records.last?.sequence ?? 0, snapshot?.sequence ?? 0) }
}

/// An atomic append to the log of one member.
@_spi(Storage) public struct MemberAppend: Sendable, Hashable {
    /// The member.
    public let id: String
    /// The record with which the log must end before; 0 for none.
    public let expected: UInt64
    /// The records, in order, the first of which follows ``expected``; none if only a snapshot is added.
    public var records: [LogRecord]
    /// A snapshot, which replaces the records up to its sequence; nil for none.
    public var snapshot: LogSnapshot?
    /// The time at which the member must be awake, in nanoseconds since 1970; nil for none. It replaces the one before. A member
    /// with unfinished work has a time in the past.
    public var due: Int64?

    /// Creates the description of an append.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - expected: The record with which the log must end before; 0 for none.
    ///   - records: The records, in order.
    ///   - snapshot: A snapshot that includes the records up to its sequence.
    ///   - due: The time at which the member must be awake, in nanoseconds since 1970.
    public init(id: String, expected: UInt64, records: [LogRecord], snapshot: LogSnapshot? = nil, due: Int64? = nil) {
        self.id = id
        self.expected = expected
        self.records = records
        self.snapshot = snapshot
        self.due = due
    }

    /// The last record that the log has afterwards.
    public var last: UInt64 { records.last?.sequence ?? expected }
}

/// A place for the logs of a fleet's members: one folder (``FleetFolder``), or what another library offers, such as tables of a database.
///
/// A storage implements `FleetBackend`, which is for those who write storages: `@_spi(Storage) import MoonlightDurability`.
public protocol FleetStorage: AnyObject, Sendable {}

/// The methods of a storage for the logs of a fleet's members.
///
/// Each member has a log of its own, by its id: two ids are the same if their bytes in UTF-8 are. A log has records, which are numbered
/// from 1 without gaps, and the newest snapshot. A table with the key (id, sequence) for the records and one with the key id for
/// snapshots and due times are all that a database needs.
///
/// ``open()`` is called first, and ``close()`` last. Between them, ``append(_:synced:)``, ``remove(_:)`` and ``sync()`` are called from one
/// task, one after another, while ``read(_:)``, ``ids(after:limit:)`` and ``count()`` may be called from any number of tasks beside it. A fleet
/// never reads a member while it appends to the same one or removes it. The methods may block: they are not called on the cooperative pool.
/// Everything is to be thrown as ``DurabilityError``; any other error is passed on as ``DurabilityError/storage(_:)``.
@_spi(Storage) public protocol FleetBackend: FleetStorage {
    /// A number that tells these logs from those of other fleets. Stays the same for ever.
    var identity: UInt64 { get async }

    /// The most bytes that the payload of a record or of a snapshot may have, asked for when the logs are open. An effect that does not
    /// fit is refused before it is applied, and a snapshot that does not is not made. 128 MB by default. An append has 4 MB at most, or
    /// one record or snapshot.
    var largestPayload: Int { get async }

    /// Opens the logs for one fleet.
    ///
    /// - Returns: The members that have to be awake at a time of their own, each with the ``MemberAppend/due`` of its last append.
    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if another fleet has them, unless ``append(_:synced:)`` finds that out. If
    ///   this throws, nothing is open.
    func open() async throws -> [MemberDue]

    /// Reads the log of a member: its newest snapshot, and the records after it, in order.
    ///
    /// - Returns: The log; an empty one if there is no such member.
    func read(_ id: String) async throws -> MemberLog

    /// Appends to the logs of members. The appends are of different members.
    ///
    /// - Parameters:
    ///   - batch: What is appended to each log: all of it, or nothing.
    ///   - synced: Whether it must survive a loss of power when this returns; otherwise the end of the process is enough.
    /// - Returns: For each append, in order, nil if it was made, or why it was not; nothing of it is in the log then.
    ///   ``DurabilityError/conflict(id:expected:)`` says that another owner has appended to that log meanwhile.
    /// - Throws: An error after which nobody knows which of the appends are in the logs. The fleet reads those members anew before it
    ///   appends to them again.
    func append(_ batch: [MemberAppend], synced: Bool) async throws -> [DurabilityError?]

    /// Removes the log of a member with all that is known of it, durably: records, snapshot and due time. A log that is begun anew has
    /// records from 1 on. Does nothing if there is no such member.
    ///
    /// - Parameter id: The member. A log that cannot be read is removed, too.
    func remove(_ id: String) async throws

    /// Makes durable what has been appended.
    func sync() async throws

    /// Returns some of the ids of all members that have a log, in the storage's order.
    ///
    /// - Parameters:
    ///   - cursor: The ``MemberPage/next`` of the page before; nil for the first.
    ///   - limit: The most ids to return.
    /// - Returns: The ids. Over all pages, each id that was there when the first was read is returned at least once.
    func ids(after cursor: String?, limit: Int) async throws -> MemberPage

    /// The number of members that have a log.
    func count() async throws -> Int

    /// Closes the logs, so that another fleet can have them.
    func close() async
}

@_spi(Storage) extension FleetBackend {
    /// 128 MB.
    public var largestPayload: Int { 1 << 27 }
}

/// What the log of a member has.
@_spi(Storage) public struct MemberLog: Sendable, Hashable {
    /// The newest snapshot; nil if there is none.
    public let snapshot: LogSnapshot?
    /// The records after the snapshot, in order; without one, all of them.
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

/// What is appended to the log of one member, all at once.
@_spi(Storage) public struct MemberAppend: Sendable, Hashable {
    /// The member.
    public let id: String
    /// The last record that its log must have before; 0 for none.
    public let expected: UInt64
    /// The records, in order, the first of which follows ``expected``; none if only a snapshot is added.
    public var records: [LogRecord]
    /// A snapshot, after which the records up to its sequence are not needed any more; nil for none.
    public var snapshot: LogSnapshot?
    /// When the member must be awake, in nanoseconds since 1970, which replaces what was said before; nil if it need not be. A time in
    /// the past is also that of a member with unfinished work.
    public var due: Int64?

    /// Creates the description of an append.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - expected: The last record that its log must have before; 0 for none.
    ///   - records: The records, in order.
    ///   - snapshot: A snapshot that includes the records up to its sequence.
    ///   - due: When the member must be awake, in nanoseconds since 1970.
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

/// A member that has to be awake at some time.
@_spi(Storage) public struct MemberDue: Sendable, Hashable {
    /// The member.
    public let id: String
    /// When, in nanoseconds since 1970.
    public let due: Int64

    /// Creates the description of when a member is due.
    ///
    /// - Parameters:
    ///   - id: The member.
    ///   - due: When, in nanoseconds since 1970.
    public init(id: String, due: Int64) {
        self.id = id
        self.due = due
    }
}

/// Some of the ids of a fleet's members.
@_spi(Storage) public struct MemberPage: Sendable, Hashable {
    /// The ids.
    public let ids: [String]
    /// Where the next page begins; nil if this is the last one.
    public let next: String?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - ids: The ids.
    ///   - next: Where the next page begins; nil if this is the last one.
    public init(ids: [String], next: String?) {
        self.ids = ids
        self.next = next
    }
}

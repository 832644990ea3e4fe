/// A place for the log of a store: a folder (``FolderStorage``), or what another library offers.
///
/// A storage implements `LogBackend`, which is for those who write storages: `@_spi(Storage) import MoonlightDurability`.
public protocol LogStorage: AnyObject, Sendable {}

/// The methods of a storage for the log of a store.
///
/// A durable store calls the methods from one task, one after another: first ``open()``, then any of the reading ones, then
/// ``begin(after:)``, and then the writing ones. The exception is ``save(_:)``, which may run beside ``append(_:synced:)`` and
/// ``sync()``. The methods may block: they are not called on the cooperative pool. Everything is to be thrown as
/// ``DurabilityError``; any other error is passed on as ``DurabilityError/storage(_:)``.
@_spi(Storage) public protocol LogBackend: LogStorage {
    /// A number that tells this log from others. Stays the same for ever.
    var identity: UInt64 { get async }

    /// The most bytes that the payload of a record may have, asked for when the log is open. An effect that does not fit is refused
    /// before it is applied. 256 MB by default.
    var largestPayload: Int { get async }

    /// Opens the log for one writer, without changing it.
    ///
    /// - Returns: The last records that the snapshots include, newest first.
    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if it has another writer. If this throws, nothing is open.
    func open() async throws -> [UInt64]

    /// Reads a snapshot.
    ///
    /// - Returns: The snapshot; nil if it is damaged, so that an older one is to be used.
    func snapshot(at sequence: UInt64) async throws -> LogSnapshot?

    /// Reads the records after one, in order, without changing anything.
    ///
    /// - Parameters:
    ///   - sequence: The record before the first to read; 0 for all.
    ///   - take: Takes each record.
    /// - Returns: The part of the end that is torn, and that ``begin(after:)`` cuts off; nil if there is none.
    func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) async throws -> TornEnd?

    /// Cuts off a torn end, and makes durable all that was read.
    ///
    /// - Parameter sequence: The last record that was read or that the snapshot includes; the next one that is appended follows it.
    func begin(after sequence: UInt64) async throws

    /// Appends records, in order: all of them, or some of the first.
    ///
    /// - Parameters:
    ///   - records: The records. The first follows the last one that was appended.
    ///   - synced: Whether they must survive a loss of power when this returns; otherwise the end of the process is enough.
    /// - Throws: An error after which nothing may be appended before ``restart(from:)``.
    func append(_ records: [LogRecord], synced: Bool) async throws

    /// Makes durable what has been appended.
    func sync() async throws

    /// Begins a new part of the log, so that the old ones can be let go of once a snapshot of this moment is there.
    func roll() async throws

    /// Adds a snapshot, durably.
    func save(_ snapshot: LogSnapshot) async throws

    /// Lets go of what is no longer needed, now that a snapshot was saved.
    ///
    /// - Parameter keepsHistory: Whether records that older snapshots include are kept.
    func letGo(keepsHistory: Bool) async throws

    /// Goes on after a failure: the snapshot takes the place of everything before, also of what was appended in vain.
    func restart(from snapshot: LogSnapshot) async throws

    /// Closes the log, so that it can have another writer.
    func close() async
}

@_spi(Storage) extension LogBackend {
    /// 256 MB.
    public var largestPayload: Int { 1 << 28 }
}

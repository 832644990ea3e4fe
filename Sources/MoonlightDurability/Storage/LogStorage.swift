/// A place for the log of a store: a folder (``FolderStorage``), or the storage of another library.
///
/// Authors of storages implement `LogBackend`: `@_spi(Storage) import MoonlightDurability`.
public protocol LogStorage: AnyObject, Sendable {}

/// The methods of a storage for the log of a store.
///
/// A durable store calls the methods from one task, one after another: ``open()``, then the reading ones, then ``begin(after:)``,
/// then the writing ones. Only ``save(_:)`` may run beside ``append(_:synced:)`` and ``sync()``. The methods may block: they are
/// not called on the cooperative pool. They throw ``DurabilityError``; any other error is passed on as
/// ``DurabilityError/storage(_:)``.
@_spi(Storage) public protocol LogBackend: LogStorage {
    /// A number that identifies this log. It never changes.
    var identity: UInt64 { get async }

    /// The maximum size of the payload of a record in bytes, 256 MB by default. An effect that does not fit is refused before it
    /// is applied. Read when the log is open.
    var largestPayload: Int { get async }

    /// Opens the log for one writer, without changing it.
    ///
    /// - Returns: The last records that the snapshots include, newest first.
    /// - Throws: ``DurabilityError/inUse(place:holder:)`` if it has another writer. Nothing is open after an error.
    func open() async throws -> [UInt64]

    /// Reads a snapshot.
    ///
    /// - Returns: The snapshot; nil if it is damaged, so that an older one is used.
    func snapshot(at sequence: UInt64) async throws -> LogSnapshot?

    /// Reads the records after one, in order, without changing anything.
    ///
    /// - Parameters:
    ///   - sequence: The record before the first to read; 0 for all.
    ///   - take: Takes each record.
    /// - Returns: The torn end, which ``begin(after:)`` cuts off; nil if there is none.
    func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) async throws -> TornEnd?

    /// Cuts off a torn end, and makes all records durable that were read.
    ///
    /// - Parameter sequence: The last record that was read or that the snapshot includes. The next append follows it.
    func begin(after sequence: UInt64) async throws

    /// Appends records in order. After a crash, only some of the first may be in the log.
    ///
    /// - Parameters:
    ///   - records: The records. The first follows the last one that was appended.
    ///   - synced: True if they must survive a loss of power when this returns. Otherwise they must survive the end of the
    ///     process.
    /// - Throws: An error after which nothing may be appended before ``restart(from:)``.
    func append(_ records: [LogRecord], synced: Bool) async throws

    /// Makes all appended records durable.
    func sync() async throws

    /// Begins a new part of the log, so that the old parts can be removed once a snapshot of the present state is saved.
    func roll() async throws

    /// Saves a snapshot durably.
    func save(_ snapshot: LogSnapshot) async throws

    /// Removes the records and snapshots that are no longer needed, after a snapshot was saved.
    ///
    /// - Parameter keepsHistory: True if records that older snapshots include are kept.
    func prune(keepsHistory: Bool) async throws

    /// Resumes after a failure: the snapshot replaces everything before, including appends that failed.
    func restart(from snapshot: LogSnapshot) async throws

    /// Closes the log, so that it can have another writer.
    func close() async
}

@_spi(Storage) extension LogBackend {
    /// 256 MB.
    public var largestPayload: Int { 1 << 28 }
}

/// The incomplete end of a log that was being written when the process or the machine ended. Its content was never published.
public struct TornEnd: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// The offset in the file at which it begins, in bytes.
    public let offset: Int
    /// The number of bytes that are cut off.
    public let count: Int

    /// Creates the description of a torn end.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: The offset in the file at which it begins, in bytes.
    ///   - count: The number of bytes that are cut off.
    @_spi(Storage) public init(file: String, offset: Int, count: Int) {
        self.file = file
        self.offset = offset
        self.count = count
    }

    /// `00000000000000000001.log: 17 bytes from offset 4120 on are torn`.
    public var description: String { "\(file): \(count) bytes from offset \(offset) on are torn".escapingControls }
}

import Moonlight
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A log in a folder: the storage of ``Durable``.
///
/// The folder is created with mode 0700, and its files with mode 0600. A lock file allows one writer at a time, across processes.
public final class FolderStorage: LogStorage, @unchecked Sendable {
    // Sound: a store calls the methods one after another, as `LogBackend` says, except `save`, which uses only immutable values.
    private let folder: LogFolder
    private let segmentSize: Int
    private let isReadOnly: Bool
    private var log: StoreLog?
    /// True while a store has it open.
    private let isOpen = Atomic<Bool>(false)

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if it does not exist.
    ///   - segmentSize: The number of bytes after which another file is begun.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20, isReadOnly: Bool = false) {
        self.folder = LogFolder(folder, .store, files)
        self.segmentSize = segmentSize
        self.isReadOnly = isReadOnly
    }

    private var opened: StoreLog {
        get throws(DurabilityError) {
            guard let log else { throw .closed }
            return log
        }
    }

    /// A number that identifies this log; 0 before it is opened.
    @_spi(Storage) public var identity: UInt64 { log?.identity ?? 0 }

    /// Opens the folder and takes its lock. The folder is created if it does not exist; nothing else is changed.
    @_spi(Storage) public func open() throws -> [UInt64] {
        guard !isOpen.exchange(true, ordering: .acquiring) else {
            throw DurabilityError.inUse(place: folder.path, holder: "another store with the same storage")
        }
        let note = "process \(getpid()), since \(WallTime.now)"
        do {
            let log = try StoreLog(folder, note: isReadOnly ? nil : note, segmentSize: segmentSize)
            self.log = log
            return try log.snapshotNumbers()
        } catch {
            close()
            throw error
        }
    }

    /// Reads a snapshot.
    @_spi(Storage) public func snapshot(at sequence: UInt64) throws -> LogSnapshot? { try opened.snapshot(at: sequence) }

    /// Reads the records after one.
    @_spi(Storage) public func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        try opened.read(after: sequence, take)
    }

    /// Cuts off a torn end, and makes all records durable that were read.
    @_spi(Storage) public func begin(after sequence: UInt64) throws { try opened.begin(after: sequence) }

    /// Appends records.
    @_spi(Storage) public func append(_ records: [LogRecord], synced: Bool) throws { try opened.append(records, synced: synced) }

    /// Makes all appended records durable.
    @_spi(Storage) public func sync() throws { try opened.sync() }

    /// Begins a new file.
    @_spi(Storage) public func roll() throws { try opened.roll() }

    /// Saves a snapshot.
    @_spi(Storage) public func save(_ snapshot: LogSnapshot) throws { try opened.save(snapshot) }

    /// Removes the snapshots before the last two and, unless history is kept, what the older of the two includes.
    @_spi(Storage) public func prune(keepsHistory: Bool) throws { try opened.prune(keepsHistory: keepsHistory) }

    /// Resumes after a failure, behind a snapshot.
    @_spi(Storage) public func restart(from snapshot: LogSnapshot) throws { try opened.restart(from: snapshot) }

    /// Closes the files, and releases the lock.
    @_spi(Storage) public func close() {
        log?.close()
        log = nil
        isOpen.store(false, ordering: .releasing)
    }
}

@_spi(Storage) extension FolderStorage: LogBackend {}

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
/// The folder is made with mode 0700, and its files with mode 0600. It has one writer at a time, of all processes.
public final class FolderStorage: LogStorage, @unchecked Sendable {
    // Sound: a store calls the methods one after another, as `LogStorage` says, but for `save`, which uses only what is immutable.
    private let folder: String
    private let files: any FileSystem
    private let segmentSize: Int
    private let isReadOnly: Bool
    private var log: FolderLog?
    /// Whether a store has it.
    private let isOpen = Atomic<Bool>(false)

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is made if it is not there.
    ///   - segmentSize: The number of bytes after which another file is begun.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20, isReadOnly: Bool = false) {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        self.folder = folder.isEmpty ? "." : folder
        self.files = files
        self.segmentSize = segmentSize
        self.isReadOnly = isReadOnly
    }

    private var opened: FolderLog {
        get throws(DurabilityError) {
            guard let log else { throw .closed }
            return log
        }
    }

    /// A number that tells this log from others; 0 before it is opened.
    public var identity: UInt64 { log?.identity ?? 0 }

    /// Opens the folder and takes its lock. The folder is made if it is not there; nothing else is changed.
    public func open() throws -> [UInt64] {
        guard !isOpen.exchange(true, ordering: .acquiring) else {
            throw DurabilityError.inUse(place: folder, holder: "another store with the same storage")
        }
        let note = "process \(getpid()), since \(WallTime.now)"
        do {
            let log = try FolderLog(folder, files: files, note: isReadOnly ? nil : note, segmentSize: segmentSize)
            self.log = log
            return try log.snapshots()
        } catch {
            close()
            throw error
        }
    }

    /// Reads a snapshot.
    public func snapshot(at sequence: UInt64) throws -> LogSnapshot? { try opened.snapshot(at: sequence) }

    /// Reads the records after one.
    public func read(after sequence: UInt64, _ take: (LogRecord) throws -> Void) throws -> TornEnd? {
        try opened.read(after: sequence, take)
    }

    /// Cuts off a torn end, and makes durable what was read.
    public func begin(after sequence: UInt64) throws { try opened.begin(after: sequence) }

    /// Appends records.
    public func append(_ records: [LogRecord], synced: Bool) throws { try opened.append(records, synced: synced) }

    /// Makes durable what has been appended.
    public func sync() throws { try opened.sync() }

    /// Begins a new file.
    public func roll() throws { try opened.roll() }

    /// Adds a snapshot.
    public func save(_ snapshot: LogSnapshot) throws { try opened.save(snapshot) }

    /// Removes the snapshots before the last two and, unless history is kept, what the older of the two includes.
    public func letGo(keepsHistory: Bool) throws { try opened.letGo(keepsHistory: keepsHistory) }

    /// Goes on after a failure, behind a snapshot.
    public func restart(from snapshot: LogSnapshot) throws { try opened.restart(from: snapshot) }

    /// Closes the files, and lets go of the lock.
    public func close() {
        log?.close()
        log = nil
        isOpen.store(false, ordering: .releasing)
    }
}

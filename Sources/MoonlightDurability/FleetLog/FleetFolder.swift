import Moonlight
import Streams

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The logs of a fleet in one folder: the storage of ``DurableFleet``.
///
/// All members share one log, so that a sync serves all that have gathered meanwhile, and a million members need no million files. A
/// member costs an index entry of 32 bytes in memory, 55 at most with what the table leaves free. What is no longer needed is removed by
/// moving what still is to the end of the log, in small steps beside the appends; the files take at most about three times what is
/// needed, or two segments.
///
/// The folder is made with mode 0700, and its files with mode 0600. It has one fleet at a time, of all processes. Opening it reads all
/// of it once. Members whose frames are damaged are found then (``damaged``); the others go on, and nothing is removed any more.
public final class FleetFolder: FleetStorage, @unchecked Sendable {
    // Sound: a fleet calls the appending methods one after another, as `FleetBackend` says, and only they use `log`; the reading ones
    // use what is behind the lock.
    private let folder: LogFolder
    private let segmentSize: Int
    private let shared = FleetContents()
    private var log: FleetLog?

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is made if it is not there.
    ///   - segmentSize: The number of bytes after which another file is begun.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20) {
        self.folder = LogFolder(folder, files)
        self.segmentSize = segmentSize
    }

    /// A number that tells these logs from others; 0 before they are opened.
    public var identity: UInt64 { shared.view.withLock { $0.identity } }

    /// How many bytes the index takes in memory.
    package var indexSize: Int { shared.view.withLock { $0.index.size } }

    /// The end that was cut off when the folder was opened; nil if it was whole.
    public var tornEnd: TornEnd? { shared.view.withLock { $0.tornEnd } }

    /// The members whose logs were found to be damaged when the folder was opened, and the reasons, in the order of the ids' bytes.
    /// They cannot be read; the others can.
    public var damaged: [(id: String, error: DurabilityError)] {
        shared.view.withLock { $0.damage.members }.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.error) }
    }

    /// Damage of which it cannot be told whose logs it concerns; nil if there is none. Members that have no frame behind it cannot be
    /// read, nor can new ones be made, because some of their log may have been there.
    public var unknownDamage: DurabilityError? { shared.view.withLock { $0.damage.unknown?.error } }

    /// Why what is no longer needed is not removed any more; nil if it is.
    public var cleaningFailure: DurabilityError? { shared.view.withLock { $0.cleaningFailure } }

    /// Opens the folder, takes its lock, and reads all of it.
    @_spi(Storage) public func open() throws -> [MemberDue] {
        let isNew = shared.view.withLock { shared in
            defer { shared.isOpen = true }
            return !shared.isOpen
        }
        guard isNew else { throw DurabilityError.inUse(place: folder.path, holder: "another fleet with the same storage") }
        do {
            let (log, dues) = try FleetLog.open(
                folder, segmentSize: segmentSize, note: "process \(getpid()), since \(WallTime.now)", shared)
            self.log = log
            return dues
        } catch {
            shared.view.withLock { $0.isOpen = false }
            throw error
        }
    }

    /// Reads the log of a member.
    @_spi(Storage) public func read(_ id: String) throws -> MemberLog {
        let key = MemberHash(id)
        let (slot, segments) = try shared.view.withLock { shared throws(DurabilityError) in
            guard shared.isOpen else { throw .closed }
            let slot = shared.index[key]
            if let error = shared.damage.error(of: id, newest: slot?.newest) { throw error }
            return (slot, shared.segments)
        }
        guard let slot else { return MemberLog() }
        return try FrameChain(of: id, from: slot.newest, to: slot.base, in: segments).log
    }

    /// Appends to the logs of members.
    @_spi(Storage) public func append(_ batch: [MemberAppend], synced: Bool) throws -> [DurabilityError?] {
        guard let log else { throw DurabilityError.closed }
        return try log.append(batch, synced: synced)
    }

    /// Removes the log of a member. The bytes go when the segments that have them are cleaned.
    @_spi(Storage) public func remove(_ id: String) throws {
        guard let log else { throw DurabilityError.closed }
        try log.remove(id)
    }

    /// Makes durable what has been appended.
    @_spi(Storage) public func sync() throws {
        guard let log else { throw DurabilityError.closed }
        try log.sync()
    }

    /// Returns some of the ids, in the order of their newest whole frames. The cursor is a position.
    @_spi(Storage) public func ids(after cursor: String?, limit: Int) throws -> MemberPage {
        let (segments, end) = try shared.view.withLock { shared throws(DurabilityError) in
            guard shared.isOpen else { throw .closed }
            return (shared.segments, shared.end)
        }
        var ids: [String] = []
        var position = max(cursor.flatMap { UInt64($0) } ?? 0, segments.first?.first ?? 0)
        while position < end, let segment = segments.segment(of: position) {
            let next = segments.first { $0.first > segment.first }?.first
            var reader = try FrameReader(segment, from: position, to: next ?? end)
            reading: while true {
                let place = reader.position
                switch try reader.next() {
                case .end: break reading
                case .bad(let reason): _ = try reader.skipDamage(reason) { _ in nil }
                case .frame(_, let id):
                    guard shared.view.withLock({ $0.index[MemberHash(id)]?.newest == place }) else { continue }
                    ids.append(id)
                    if ids.count >= limit { return MemberPage(ids: ids, next: String(reader.position)) }
                }
            }
            position = next ?? end
        }
        return MemberPage(ids: ids, next: nil)
    }

    /// The number of members.
    @_spi(Storage) public func count() throws -> Int { shared.view.withLock { $0.index.count } }

    /// Closes the files, and lets go of the lock.
    @_spi(Storage) public func close() {
        log?.close()
        log = nil
        discard(
            shared.view.withLock { shared in
                let old = shared
                shared = FleetView()
                return old
            })
    }
}

@_spi(Storage) extension FleetFolder: FleetBackend {}

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
/// All members share one log, so that one sync serves many members, and a million members do not need a million files. A member takes 32
/// to 55 bytes of the index in memory. Cleaning moves needed frames to the end of the log, in small steps beside the appends, and removes
/// the old segments; the files take at most about three times the needed bytes, or two segments.
///
/// The folder is created with mode 0700, and its files with mode 0600. A lock file allows one fleet at a time, across processes. Opening
/// reads the whole folder and finds damaged members (``damaged``). The other members can be used; nothing is cleaned then.
public final class FleetFolder: FleetStorage, @unchecked Sendable {
    // Sound: a fleet calls the appending methods one after another, as `FleetBackend` says, and only they use `log`. The reading ones
    // use what is behind the lock.
    private let folder: LogFolder
    private let segmentSize: Int
    private let shared = FleetContents()
    private var log: FleetLog?

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if it does not exist.
    ///   - segmentSize: The number of bytes after which another file is begun.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20) {
        self.folder = LogFolder(folder, .fleet, files)
        self.segmentSize = segmentSize
    }

    /// A number that identifies these logs; 0 before they are opened.
    @_spi(Storage) public var identity: UInt64 { shared.view.withLock { $0.identity } }

    /// The size of the index in memory, in bytes.
    package var indexSize: Int { shared.view.withLock { $0.index.size } }

    /// The torn end that was cut off when the folder was opened; nil if the log was intact.
    public var tornEnd: TornEnd? { shared.view.withLock { $0.tornEnd } }

    /// The members whose logs were damaged when the folder was opened, with the reasons, in the byte order of the ids. Only they cannot be
    /// read.
    public var damaged: [(id: String, error: DurabilityError)] {
        shared.view.withLock { $0.damage }.sortedMembers.map { ($0.id, $0.member.error) }
    }

    /// Damage whose members are unknown; nil if there is none. Members without a frame behind it may have lost records: they cannot be read
    /// or created.
    public var unknownDamage: DurabilityError? { shared.view.withLock { $0.damage.unknown?.error } }

    /// The reason why cleaning has stopped; nil if it has not.
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

    /// Removes the log of a member. Cleaning deletes the bytes later.
    @_spi(Storage) public func remove(_ id: String) throws {
        guard let log else { throw DurabilityError.closed }
        try log.remove(id)
    }

    /// Makes all appends durable.
    @_spi(Storage) public func sync() throws {
        guard let log else { throw DurabilityError.closed }
        try log.sync()
    }

    /// Returns some of the ids, in the order of their newest frames. The cursor is a position.
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

    /// Closes the files, and releases the lock.
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

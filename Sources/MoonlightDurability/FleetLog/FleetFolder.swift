/// The logs of a fleet in one folder: the storage of ``DurableFleet``.
///
/// All members share one log, so that one sync serves many members, and a million members do not need a million files. A member takes 32
/// to 55 bytes of the index in memory. Cleaning moves needed frames to the end of the log, in small steps beside the appends, and removes
/// the old segments; the files take at most about three times the needed bytes, or two segments.
///
/// The folder is created with mode 0700, and its files with mode 0600. A lock file allows one fleet at a time, across processes. Opening
/// reads the whole folder and finds damaged members (``damaged``). The other members can be used; nothing is cleaned then.
public final class FleetFolder: FleetStorage {
    let log: FleetLog

    /// Creates a storage. Nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which is created if it does not exist.
    ///   - segmentSize: The number of bytes after which another file is begun; at least 1.
    public convenience init(_ folder: String, segmentSize: Int = 64 << 20) {
        self.init(folder, files: SystemFiles(), segmentSize: segmentSize)
    }

    package init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20) {
        precondition(segmentSize > 0, "segmentSize must be at least 1, but is \(segmentSize); use .max for a single file")
        log = FleetLog(LogFolder(folder, .fleet, files), segmentSize: segmentSize)
    }

    /// The torn end that was cut off when the folder was opened; nil if the log was intact.
    public var tornEnd: TornEnd? { log.view.withLock { $0.tornEnd } }

    /// The members whose logs were damaged when the folder was opened, with the reasons, in the byte order of the ids. Only they cannot be
    /// read.
    public var damaged: [(id: String, error: DurabilityError)] {
        log.view.withLock { $0.damage }.sortedMembers.map { ($0.id, $0.member.error) }
    }

    /// Damage whose members are unknown; nil if there is none. Members without a frame behind it may have lost records: they cannot be read
    /// or created.
    public var unknownDamage: DurabilityError? { log.view.withLock { $0.damage.unknown?.error } }

    /// The reason why cleaning has stopped; nil if it has not.
    public var cleaningFailure: DurabilityError? { log.view.withLock { $0.cleaningFailure } }
}

extension FleetStorage {
    /// The methods of this storage.
    @_spi(Storage) public var backend: any FleetBackend {
        if let folder = self as? FleetFolder { return folder.log }
        guard let backend = self as? any FleetBackend else {
            preconditionFailure("\(type(of: self)) must conform to FleetBackend: @_spi(Storage) import MoonlightDurability")
        }
        return backend
    }
}

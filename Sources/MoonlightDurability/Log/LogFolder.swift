import Moonlight

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The folder of a log, of a store or of a fleet.
///
/// | file | |
/// |---|---|
/// | `lock` | locked by the writer, which it describes |
/// | `00000000000000000000.log` | a segment of a store's log, named after the position of its first frame |
/// | `00000000000000000000.fleet` | a segment of a fleet's log |
/// | `00000000000000010000.snapshot` | a snapshot of a store, named after the last record that it includes |
/// | `….new` | an unfinished file; removed when the log is opened |
struct LogFolder: Sendable {
    let path: String
    let kind: LogKind
    let files: any FileSystem
    private static let lock = "lock"
    private static let unfinished = ".new"

    /// - Parameter path: The path of the folder; slashes at its end are ignored.
    init(_ path: String, _ kind: LogKind, _ files: any FileSystem) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path.isEmpty ? "." : path
        self.kind = kind
        self.files = files
    }

    func path(_ name: String) -> String { path + "/" + name }
    func names() throws(DurabilityError) -> [String] { try files.names(in: path) }
    /// The positions of the segments, in order.
    func segments() throws(DurabilityError) -> [UInt64] { kind.segments(in: try names()) }
    func open(_ name: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile { try files.open(path(name), access) }
    func remove(_ name: String) throws(DurabilityError) { try files.remove(path(name)) }

    /// Makes the names in the folder durable.
    func sync() throws(DurabilityError) { try files.syncFolder(path) }

    /// Takes the lock of the folder, and describes this process for a second writer.
    func lock() throws(DurabilityError) -> any FileLock {
        switch try files.lock(path(Self.lock), note: "process \(getpid()), since \(WallTime.now)") {
        case .taken(let lock): return lock
        case .held(let holder): throw .inUse(place: path, holder: holder.isEmpty ? "another process" : holder)
        }
    }

    /// Creates a file atomically: it is complete and synced, or absent.
    func put(_ bytes: [UInt8], as name: String) throws(DurabilityError) {
        let unfinished = name + Self.unfinished
        let file = try open(unfinished, .replacing)
        defer { file.close() }
        do throws(DurabilityError) {
            try file.write(bytes, at: 0)
            try file.sync()
            try files.rename(path(unfinished), to: path(name))
        } catch {
            // On a full disk, it would take the space of further records.
            try? remove(unfinished)
            throw error
        }
        try sync()
    }

    /// Removes unfinished files, and syncs the names that a process gave before it ended.
    func tidy() throws(DurabilityError) {
        for name in try names() where name.hasSuffix(Self.unfinished) {
            if kind.isFound(in: [String(name.dropLast(Self.unfinished.count))]) { try remove(name) }
        }
        try sync()
    }
}

/// The kind of log in a folder.
enum LogKind: String, Sendable {
    case store = ".log"
    case fleet = ".fleet"

    private static let snapshotEnding = ".snapshot"

    func segment(_ first: UInt64) -> String { Self.digits(first) + rawValue }
    static func snapshot(_ sequence: UInt64) -> String { digits(sequence) + snapshotEnding }

    /// The positions of the segments among the files, in order.
    func segments(in names: [String]) -> [UInt64] { Self.numbers(names, rawValue) }
    /// The last records of the snapshots among the files, in order.
    static func snapshots(in names: [String]) -> [UInt64] { numbers(names, snapshotEnding) }
    /// True if one of the files is of this kind of log.
    func isFound(in names: [String]) -> Bool {
        !segments(in: names).isEmpty || self == .store && !Self.snapshots(in: names).isEmpty
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits
    }

    private static func numbers(_ names: [String], _ ending: String) -> [UInt64] {
        names.compactMap { name in
            guard name.hasSuffix(ending), name.utf8.count == 20 + ending.utf8.count,
                name.utf8.prefix(20).allSatisfy({ (48...57).contains($0) })
            else { return nil }
            // A position and the number of a record have room to grow.
            return Int64(name.prefix(20)).map(UInt64.init)
        }.sorted()
    }
}

extension OpenFile {
    /// Writes bytes again that may not have been synced.
    ///
    /// After a failed sync, the system may consider pages written that are not: readers see the bytes, and another sync succeeds without
    /// writing them.
    func rewrite(from start: Int, to end: Int) throws(DurabilityError) {
        var offset = start
        while offset < end {
            let bytes = try read(min(end - offset, 1 << 20), at: offset)
            guard !bytes.isEmpty else { throw .shortFile }
            try write(bytes, at: offset)
            offset += bytes.count
        }
    }
}

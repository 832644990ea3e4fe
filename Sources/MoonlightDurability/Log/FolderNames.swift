/// The names of the files in the folder of a log.
///
/// | file | |
/// |---|---|
/// | `lock` | locked by the writer, which it describes |
/// | `00000000000000000001.log` | a segment, named after its first record |
/// | `00000000000000010000.snapshot` | a snapshot, named after the last record that it includes |
/// | `….new` | an unfinished file; removed when the log is opened |
enum FolderNames {
    static let lock = "lock"
    static let unfinished = ".new"
    /// The extension of a segment of a fleet's log, which has its own folder.
    static let fleetSegment = ".fleet"

    static func segment(_ first: UInt64) -> String { digits(first) + ".log" }
    static func snapshot(_ sequence: UInt64) -> String { digits(sequence) + ".snapshot" }

    /// The first records of the segments among the files, in order.
    static func segments(in names: [String]) -> [UInt64] { names.compactMap { number($0, ".log") }.sorted() }
    /// The last records of the snapshots among the files, in order.
    static func snapshots(in names: [String]) -> [UInt64] { names.compactMap { number($0, ".snapshot") }.sorted() }

    static func digits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits
    }

    static func number(_ name: String, _ ending: String) -> UInt64? {
        guard name.hasSuffix(ending), name.utf8.count == 20 + ending.utf8.count else { return nil }
        let digits = name.utf8.prefix(20)
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return UInt64(name.prefix(20))
    }
}

/// The names of the segments in the folder of a fleet, after the position of their first frame: `00000000000000000000.fleet`.
enum FleetNames {
    static func segment(_ first: UInt64) -> String { FolderNames.digits(first) + FolderNames.fleetSegment }

    /// The first positions of the segments among the files, in order.
    static func segments(in names: [String]) -> [UInt64] {
        names.compactMap { FolderNames.number($0, FolderNames.fleetSegment) }.sorted()
    }
}

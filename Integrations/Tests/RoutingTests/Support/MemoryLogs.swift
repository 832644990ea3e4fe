@_spi(Storage) import MoonlightDurability
import Synchronization

/// The logs of many fleets in memory, which outlive their storages.
final class MemoryLogs: Sendable {
    struct Log {
        var records: [LogRecord] = []
        var snapshot: LogSnapshot?
        var due: Int64?
        var last: UInt64 { max(records.last?.sequence ?? 0, snapshot?.sequence ?? 0) }
    }

    let logs = Mutex<[String: [String: Log]]>([:])
    /// The number of openings of a storage, by fleet.
    let openings = Mutex<[String: Int]>([:])
    /// Indicates whether appends and openings fail.
    let isBroken = Atomic<Bool>(false)

    func storage(_ fleet: String) -> MemoryStorage { MemoryStorage(self, fleet) }

    func records(of id: String, in fleet: String) -> Int { logs.withLock { $0[fleet]?[id]?.records.count ?? 0 } }
}

final class MemoryStorage: FleetBackend {
    private let all: MemoryLogs
    private let fleet: String

    init(_ all: MemoryLogs, _ fleet: String) {
        self.all = all
        self.fleet = fleet
    }

    var identity: UInt64 { 1 }

    private func check() throws(DurabilityError) {
        if all.isBroken.load(ordering: .relaxed) { throw .storage("the disk is broken") }
    }

    func open() throws -> [(id: String, due: Int64)] {
        try check()
        all.openings.withLock { $0[fleet, default: 0] += 1 }
        return all.logs.withLock { logs in
            (logs[fleet] ?? [:]).compactMap { id, log in log.due.map { (id, $0) } }
        }
    }

    func read(_ id: String) -> MemberLog {
        all.logs.withLock { logs in
            let log = logs[fleet]?[id] ?? .init()
            let first = log.snapshot?.sequence ?? 0
            return MemberLog(snapshot: log.snapshot, records: log.records.filter { $0.sequence > first })
        }
    }

    func append(_ batch: [MemberAppend], synced: Bool) throws -> [DurabilityError?] {
        try check()
        return all.logs.withLock { logs in
            batch.map { append in
                var log = logs[fleet]?[append.id] ?? .init()
                guard log.last == append.expected else { return .conflict(id: append.id, expected: append.expected) }
                log.records += append.records
                log.snapshot = append.snapshot ?? log.snapshot
                log.due = append.due
                logs[fleet, default: [:]][append.id] = log
                return nil
            }
        }
    }

    func remove(_ id: String) throws {
        try check()
        all.logs.withLock { $0[fleet]?[id] = nil }
    }

    func sync() {}

    func ids(after cursor: String?, limit: Int) -> (ids: [String], next: String?) {
        let ids = all.logs.withLock { ($0[fleet] ?? [:]).keys.filter { id in cursor.map { id > $0 } ?? true }.sorted() }
        return (Array(ids.prefix(limit)), ids.count > limit ? ids[limit - 1] : nil)
    }

    func count() -> Int { all.logs.withLock { $0[fleet]?.count ?? 0 } }
    func close() {}
}

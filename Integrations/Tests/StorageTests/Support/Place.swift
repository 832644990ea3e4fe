import Foundation
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightNATS
@_spi(Storage) import MoonlightPostgreSQL

/// The storages that must behave alike.
enum Kind: String, CaseIterable, Sendable {
    case folder, postgreSQL, jetStream
}

/// A place for one log, which can be opened by several storages, in turn or at once.
final class Place: Sendable {
    private let make: @Sendable () -> any LogBackend
    private let folder: String?

    init(_ kind: Kind) throws {
        let name = "mlog-\(UInt64.random(in: 0...UInt64.max))"
        switch kind {
        case .folder:
            let path = FileManager.default.temporaryDirectory.path + "/" + name
            (folder, make) = (path, { FolderStorage(path).backend })
        case .postgreSQL:
            let database = try Server.shared.get().database
            (folder, make) = (nil, { PostgreSQLStorage(name, in: database) })
        case .jetStream:
            let servers = try Cluster.shared.get().nats
            (folder, make) = (nil, { JetStreamStorage(name, in: servers) })
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(atPath: folder) } }

    func storage() -> any LogBackend { make() }

    /// Opens the log, calls a closure with a storage that is ready for appending, and closes it.
    func use<Result>(_ body: (any LogBackend, _ records: [LogRecord]) async throws -> Result) async throws -> Result {
        let storage = storage()
        let records = try await begin(storage)
        do {
            let result = try await body(storage, records)
            await storage.close()
            return result
        } catch {
            await storage.close()
            throw error
        }
    }
}

/// Opens a log for appending.
///
/// - Returns: Its records after the newest snapshot.
@discardableResult
func begin(_ storage: any LogBackend) async throws -> [LogRecord] {
    let (snapshots, records) = (try await storage.open(), Records())
    _ = try await storage.read(after: snapshots.first ?? 0) { records.list.append($0) }
    try await storage.begin(after: records.list.last?.sequence ?? snapshots.first ?? 0)
    return records.list
}

private final class Records { var list: [LogRecord] = [] }

/// Returns records with these numbers, whose payloads contain the number.
func records(_ sequences: ClosedRange<UInt64>) -> [LogRecord] {
    sequences.map { LogRecord(sequence: $0, schema: 3, payload: Array("record \($0)".utf8)) }
}

func snapshot(_ sequence: UInt64) -> LogSnapshot {
    LogSnapshot(
        sequence: sequence, versions: .init(effects: 3, state: .max, reducer: 5), payload: Array("state \(sequence)".utf8))
}

import Foundation
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightNATS
@_spi(Storage) import MoonlightPostgreSQL

/// A place for the logs of one fleet, which can be opened by several storages, in turn or at once.
final class FleetPlace: Sendable {
    private let make: @Sendable () -> any FleetBackend
    private let folder: String?

    init(_ kind: Kind) throws {
        let name = "mfleet-\(UInt64.random(in: 0...UInt64.max))"
        switch kind {
        case .folder:
            let path = FileManager.default.temporaryDirectory.path + "/" + name
            (folder, make) = (path, { FleetFolder(path).backend })
        case .postgreSQL:
            let database = try Server.shared.get().database
            (folder, make) = (nil, { PostgreSQLFleetStorage(name, in: database, readers: 2) })
        case .jetStream:
            let servers = try Cluster.shared.get().nats
            (folder, make) = (nil, { JetStreamFleetStorage(name, in: servers) })
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(atPath: folder) } }

    func storage() -> any FleetBackend { make() }

    /// Opens the logs, calls a closure with the storage and the due members, and closes them.
    func use(_ body: (any FleetBackend, [(id: String, due: Int64)]) async throws -> Void) async throws {
        let storage = storage()
        let due = try await storage.open()
        do { try await body(storage, due) } catch {
            await storage.close()
            throw error
        }
        await storage.close()
    }
}

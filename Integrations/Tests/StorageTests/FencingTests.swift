import Moonlight
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightPostgreSQL
import Testing

/// Two owners of one log, one of which was cut off without noticing.
@Suite("Two writers of one log in PostgreSQL", .enabled(if: Server.isInstalled, Comment(rawValue: Server.comment)))
struct FencingTests {
    /// Opens a log for appending.
    private func opened(_ name: String, _ server: Server) async throws -> PostgreSQLStorage {
        let storage = PostgreSQLStorage(name, in: server.database(patience: .seconds(1)))
        try await begin(storage)
        return storage
    }

    /// Ends the connections of all writers of a log, which frees their locks, as after a network failure.
    private func cut(_ server: Server) throws {
        try server.query(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name = 'moonlight'")
    }

    @Test("A writer that reconnects and finds another owner can neither append, save nor resume")
    func taken() async throws {
        let server = try Server()
        defer { server.remove() }
        let old = try await opened("log", server)
        try old.append(records(1...2), synced: true)
        try cut(server)
        let new = try await opened("log", server)
        #expect(throws: DurabilityError.self) { try old.append(records(3...3), synced: true) }
        try new.append(records(3...4), synced: true)
        new.close()
        // The lock is free, and the first writer could reconnect, but its log has changed.
        #expect(throws: DurabilityError.conflict(id: "log", expected: 2)) { try old.append(records(3...3), synced: true) }
        #expect(throws: DurabilityError.conflict(id: "log", expected: 9)) { try old.save(snapshot(9)) }
        #expect(throws: DurabilityError.conflict(id: "log", expected: 9)) { try old.restart(from: snapshot(9)) }
        old.close()
        #expect(try server.query("SELECT string_agg(sequence::text, ' ' ORDER BY sequence) FROM tested.record") == "1 2 3 4")
        #expect(try server.query("SELECT count(*) FROM tested.snapshot") == "0")
    }

    @Test("A writer that reconnects and finds no other owner continues")
    func alone() async throws {
        let server = try Server()
        defer { server.remove() }
        let storage = try await opened("log", server)
        try storage.append(records(1...2), synced: true)
        try cut(server)
        try storage.append(records(3...3), synced: true)
        try storage.save(snapshot(3))
        storage.close()
        #expect(try server.query("SELECT string_agg(sequence::text, ' ' ORDER BY sequence) FROM tested.record") == "1 2 3")
    }

    @Test("A claim alone prevents the first owner from appending, even if the sequence would fit")
    func claimed() async throws {
        let server = try Server()
        defer { server.remove() }
        let old = try await opened("log", server)
        try old.append(records(1...2), synced: true)
        try server.query("UPDATE tested.member SET writer = 1")
        #expect(throws: DurabilityError.conflict(id: "log", expected: 2)) { try old.append(records(3...3), synced: true) }
        old.close()
    }
}

import Foundation
import Moonlight
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightPostgreSQL
import Streams
import TestLoops
import Testing

@Suite("Durable stores in PostgreSQL whose server is killed", .enabled(if: Server.isInstalled, Comment(rawValue: Server.comment)))
struct CrashTests {
    private static let kills = ProcessInfo.processInfo.environment["MOONLIGHT_SERVER_KILLS"].flatMap { Int($0) } ?? 5

    private func open(
        _ server: Server, patience: Duration = .seconds(30), acknowledge: Acknowledgment = .afterSync
    ) async throws -> Store<Ledger, Ledger.Entry> {
        try await Store(
            reducer: Ledger.reducer, initialState: Ledger(), environment: (),
            durable: Durable(
                storage: PostgreSQLStorage("ledger", in: server.database(patience: patience)), schema: Schema(Ledger.Entry.self),
                state: Schema(Ledger.self), acknowledge: acknowledge, snapshotEvery: 500))
    }

    @Test(
        "Nothing that was acknowledged under load is lost or duplicated, however often the server is killed",
        .timeLimit(.minutes(10)))
    func killed() async throws {
        let server = try Server()
        defer { server.remove() }
        let (store, senders) = (try await open(server), Senders())
        let sending = Task {
            await withTaskGroup { group in
                for sender in 0..<16 { group.addTask { await senders.send(sender, to: store) } }
            }
        }
        for _ in 0..<Self.kills {
            // The server is killed while the load continues.
            let before = senders.total
            while senders.total < before + 300 { await Task.yield() }
            try server.crash()
            try server.start()
        }
        let before = senders.total
        while senders.total < before + 100 { await Task.yield() }
        senders.stop()
        await sending.value
        #expect(store.durability?.status == .healthy)
        let state = store.state
        store.cancel()
        await store.durability?.closed()
        let again = try await open(server)
        #expect(again.state == state)
        #expect(again.state.repeated == 0)
        #expect(again.state.counts == senders.counts)
        again.cancel()
        await again.durability?.closed()
    }

    @Test("Senders receive an error if the server is away for too long, and `resume` continues when it is back")
    func away() async throws {
        let server = try Server()
        defer { server.remove() }
        let store = try await open(server, patience: .milliseconds(300))
        #expect((try? await store.send(.init(sender: 1, number: 1)).get()) != nil)
        try server.crash()
        guard case .failure(.notDurable(_, isTaken: true)) = await store.send(.init(sender: 1, number: 2)) else {
            Issue.record("acknowledged without a server")
            return
        }
        guard case .failure(.notDurable(_, isTaken: false)) = await store.send(.init(sender: 1, number: 3)) else {
            Issue.record("taken by a degraded store")
            return
        }
        await #expect(throws: DurabilityError.self) { try await store.durability?.resume() }
        try server.start()
        try await store.durability?.resume()
        #expect((try? await store.send(.init(sender: 1, number: 3)).get()) != nil)
        store.cancel()
        await store.durability?.closed()
        let again = try await open(server)
        #expect(again.state.counts == [1: 3])
        #expect(again.state.repeated == 0)
        again.cancel()
        await again.durability?.closed()
    }

    @Test("A server that does not answer is abandoned after the timeout, and its late writes are detected")
    func frozen() throws {
        let server = try Server()
        defer { server.remove() }
        let storage = PostgreSQLStorage("log", in: server.database(patience: .milliseconds(1), answerTime: .milliseconds(200)))
        _ = try storage.open()
        try storage.begin(after: 0)
        try storage.append(records(1...1), synced: true)
        try server.freeze(true)
        let error = #expect(throws: DurabilityError.self) { try storage.append(records(2...2), synced: true) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("the server does not answer"))
        // The server has the statement in a buffer and executes it now, unless it notices the closed connection first.
        try server.freeze(false)
        let other = PostgreSQLStorage("log", in: server.database)
        _ = try other.open()
        var found: [LogRecord] = []
        _ = try other.read(after: 0) { found.append($0) }
        #expect(found == records(1...1) || found == records(1...2))
        other.close()
        storage.close()
    }

    @Test("Records that were written without a sync may be lost with the server, and the loss is reported")
    func unsynced() throws {
        let server = try Server()
        defer { server.remove() }
        // Only a commit that requests it is synced.
        try server.query("ALTER SYSTEM SET wal_writer_delay = '10s'")
        try server.query("ALTER SYSTEM SET wal_writer_flush_after = '1GB'")
        try server.query("SELECT pg_reload_conf()")
        let storage = PostgreSQLStorage("log", in: server.database)
        _ = try storage.open()
        try storage.begin(after: 0)
        try storage.append(records(1...2), synced: true)
        try storage.append(records(3...4), synced: false)
        try server.crash()
        try server.start()
        #expect(throws: DurabilityError.self) { try storage.sync() }
        #expect(throws: DurabilityError.self) { try storage.append(records(5...5), synced: true) }
        try storage.restart(from: snapshot(5))
        try storage.append(records(6...6), synced: true)
        storage.close()
        #expect(try server.query("SELECT string_agg(sequence::text, ' ' ORDER BY sequence) FROM tested.record") == "1 2 6")
    }
}

import Dispatch
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

    /// Waits until a query has a result.
    private func wait(_ server: Server, until query: String, is result: String) async throws {
        for _ in 0..<1_500 {
            if try server.query(query) == result { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("\(query) is not \(result)")
    }

    @Test("Logs of the same name in two schemas have an owner each")
    func schemas() throws {
        let server = try Server()
        defer { server.remove() }
        var elsewhere = server.database
        elsewhere.schema = "elsewhere"
        let storages = [server.database, elsewhere].map { PostgreSQLStorage("log", in: $0) }
        for storage in storages { _ = try storage.open() }
        #expect(throws: DurabilityError.self) { try PostgreSQLStorage("log", in: elsewhere).open() }
        for storage in storages { storage.close() }
    }

    @Test("A member's append is not confirmed if an earlier one, whose result was unknown, has taken its place")
    func late() async throws {
        let server = try Server()
        defer { server.remove() }
        let time = Duration.seconds(1)
        let storage = PostgreSQLFleetStorage("fleet", in: server.database(patience: time, answerTime: time), isRouted: true)
        _ = try storage.open()
        #expect(try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...1))], synced: true) == [nil])
        // While another transaction has the row, the server does not answer, and keeps the append for later.
        let query = "BEGIN; SELECT FROM tested.member FOR UPDATE; SELECT pg_sleep(60); COMMIT"
        DispatchQueue.global().async { _ = try? server.query(query) }
        try await wait(server, until: "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", is: "1")
        #expect(throws: DurabilityError.self) {
            try storage.append([MemberAppend(id: "a", expected: 1, records: records(2...2))], synced: true)
        }
        #expect(try storage.read("a").records == records(1...1))
        try server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
        try await wait(server, until: "SELECT last FROM tested.member", is: "2")
        let other = MemberAppend(id: "a", expected: 1, records: [LogRecord(sequence: 2, schema: 3, payload: [])])
        #expect(try storage.append([other], synced: true) == [.conflict(id: "a", expected: 1)])
        #expect(try storage.read("a").records == records(1...2))
        await storage.close()
    }

    @Test("A member is read as a whole while another fleet appends to its log")
    func wholeReads() async throws {
        let server = try Server()
        defer { server.remove() }
        let storages = (0..<2).map { _ in PostgreSQLFleetStorage("fleet", in: server.database, isRouted: true) }
        for storage in storages { _ = try storage.open() }
        DispatchQueue.global().async {
            for number in UInt64(1)...500 {
                let saved = number % 8 == 0 ? snapshot(number) : nil
                let append = MemberAppend(id: "a", expected: number - 1, records: records(number...number), snapshot: saved)
                _ = try? storages[0].append([append], synced: false)
            }
        }
        let end = ContinuousClock.now + .seconds(30)
        var last: UInt64 = 0
        while last < 500, ContinuousClock.now < end { last = try storages[1].read("a").last }
        #expect(last == 500)
        for storage in storages { await storage.close() }
    }
}

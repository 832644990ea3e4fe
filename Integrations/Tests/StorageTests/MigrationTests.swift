@_spi(Storage) import MoonlightDurability
import Testing

@_spi(Storage) @testable import MoonlightPostgreSQL

@Suite("Migrations", .enabled(if: Server.isInstalled, Comment(rawValue: Server.comment)))
struct MigrationTests {
    @Test("Tables of the first version are migrated with their contents")
    func upgrade() throws {
        let server = try Server()
        defer { server.remove() }
        let session = Session(server.database)
        try Migrations.run(session, upTo: 1)
        #expect(try server.query("SELECT number FROM tested.version") == "1")
        try server.query(
            "INSERT INTO tested.space (name, identity) VALUES ('log', 7); INSERT INTO tested.member VALUES (1, '', 1, 5, NULL); "
                + "INSERT INTO tested.record VALUES (1, '', 1, 3, 'record 1')")
        let storage = PostgreSQLStorage("log", in: server.database)
        #expect(try storage.open() == [])
        var found: [LogRecord] = []
        _ = try storage.read(after: 0) { found.append($0) }
        #expect(found == records(1...1))
        #expect(storage.identity == 7)
        storage.close()
        #expect(try server.query("SELECT number FROM tested.version") == "\(Migrations.all.count)")
    }

    @Test("Several processes can migrate at once")
    func together() async throws {
        let server = try Server()
        defer { server.remove() }
        let database = server.database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try Migrations.run(Session(database)) } }
            try await group.waitForAll()
        }
        #expect(try server.query("SELECT number FROM tested.version") == "\(Migrations.all.count)")
    }

    @Test("Tables of a later version are refused, by name and number")
    func later() throws {
        let server = try Server()
        defer { server.remove() }
        try Migrations.run(Session(server.database))
        try server.query("UPDATE tested.version SET number = 99")
        let error = #expect(throws: DurabilityError.self) { try PostgreSQLStorage("log", in: server.database).open() }
        #expect(
            "\(error.map { "\($0)" } ?? "")"
                == "the tables in the schema tested have version 99, but this program supports at most \(Migrations.all.count)")
    }
}

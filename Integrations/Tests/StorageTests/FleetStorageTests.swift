import Moonlight
@_spi(Storage) import MoonlightDurability
@_spi(Storage) import MoonlightNATS
@_spi(Storage) import MoonlightPostgreSQL
import Testing

/// The requirements of a fleet on the folder, PostgreSQL and JetStream.
@Suite(
    "The logs of a fleet",
    .enabled(if: Server.isInstalled && Cluster.isInstalled, "servers of PostgreSQL and NATS are not installed"))
struct FleetStorageTests {
    @Test("Each member has its own log, which is unchanged when it is opened again", arguments: Kind.allCases)
    func members(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        let identity = Box<UInt64>(0)
        try await place.use { storage, due async throws in
            #expect(due.isEmpty)
            #expect(try await storage.read("a") == MemberLog())
            let made = try await storage.append(
                [
                    MemberAppend(id: "a", expected: 0, records: records(1...2), due: 77),
                    MemberAppend(id: "ä/✈︎", expected: 0, records: records(1...1)),
                ], synced: true)
            #expect(made == [nil, nil])
            #expect(
                try await storage.append([MemberAppend(id: "a", expected: 2, records: records(3...3), due: 78)], synced: false)
                    == [nil]
            )
            try await storage.sync()
            #expect(try await storage.append([], synced: true).isEmpty)
            identity.value = await storage.identity
        }
        try await place.use { storage, due async throws in
            #expect(due.map { "\($0.id) \($0.due)" } == ["a 78"])
            #expect(await storage.identity == identity.value)
            #expect(try await storage.read("a") == MemberLog(records: records(1...3)))
            #expect(try await storage.read("ä/✈︎") == MemberLog(records: records(1...1)))
            #expect(try await storage.count() == 2)
            #expect(
                try await storage.append([MemberAppend(id: "a", expected: 3, records: records(4...4))], synced: true) == [nil])
        }
        try await place.use { _, due in #expect(due.isEmpty) }
    }

    @Test(
        "An append to a log in an unexpected state is a conflict, and the others of the batch are made", arguments: Kind.allCases
    )
    func conflict(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            _ = try await storage.append([MemberAppend(id: "a", expected: 0, records: records(1...2))], synced: true)
            let made = try await storage.append(
                [
                    MemberAppend(id: "a", expected: 1, records: records(2...2)),
                    MemberAppend(id: "b", expected: 0, records: records(1...1)),
                    MemberAppend(id: "c", expected: 4, records: records(5...5)),
                ], synced: true)
            #expect(made[0] == .conflict(id: "a", expected: 1))
            #expect(made[1] == nil)
            switch made[2] {
            // A database that can lose unsynced appends reports it.
            case .conflict(id: "c", expected: 4)?, .missing(from: 1, to: 4, _)?: break
            default: Issue.record("\(String(describing: made[2]))")
            }
            // An existing member cannot be created again.
            #expect(
                try await storage.append([MemberAppend(id: "a", expected: 0, records: records(1...1))], synced: true)
                    == [.conflict(id: "a", expected: 0)])
            #expect(try await storage.read("a").records == records(1...2))
            #expect(try await storage.read("c") == MemberLog())
        }
    }

    @Test("A removed member has no log, no due time and no entry in the list, and can be created again", arguments: Kind.allCases)
    func removal(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            for id in ["a", "b"] {
                _ = try await storage.append(
                    [MemberAppend(id: id, expected: 0, records: records(1...2), snapshot: snapshot(1), due: 77)], synced: false)
            }
            try await storage.remove("a")
            try await storage.remove("never there")
            #expect(try await storage.read("a") == MemberLog())
            #expect(try await storage.count() == 1)
            #expect(try await storage.ids(after: nil, limit: 9).ids == ["b"])
            let late = MemberAppend(id: "a", expected: 2, records: records(3...3))
            #expect(try await storage.append([late], synced: true) != [nil])
            let anew = MemberAppend(id: "a", expected: 0, records: records(1...1))
            #expect(try await storage.append([anew], synced: true) == [nil])
        }
        try await place.use { storage, due async throws in
            #expect(due.map { "\($0.id) \($0.due)" } == ["b 77"])
            #expect(try await storage.read("a") == MemberLog(records: records(1...1)))
        }
    }

    @Test("A snapshot replaces the records that it includes, also without new records", arguments: Kind.allCases)
    func snapshots(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            _ = try await storage.append([MemberAppend(id: "a", expected: 0, records: records(1...3))], synced: true)
            _ = try await storage.append([MemberAppend(id: "b", expected: 0, records: records(1...3))], synced: true)
            let both = MemberAppend(id: "a", expected: 3, records: records(4...5), snapshot: snapshot(4))
            #expect(try await storage.append([both], synced: true) == [nil])
            #expect(try await storage.read("a") == MemberLog(snapshot: snapshot(4), records: records(5...5)))
            let alone = MemberAppend(id: "a", expected: 5, records: [], snapshot: snapshot(5))
            #expect(try await storage.append([alone], synced: true) == [nil])
            #expect(try await storage.read("a") == MemberLog(snapshot: snapshot(5)))
            #expect(try await storage.append([alone], synced: true) == [nil])
            #expect(
                try await storage.append([MemberAppend(id: "a", expected: 5, records: records(6...6))], synced: true) == [nil])
            #expect(try await storage.read("a") == MemberLog(snapshot: snapshot(5), records: records(6...6)))
            #expect(try await storage.read("b").records.count == 3)
        }
    }

    @Test("Ids are listed in pages, each once", arguments: Kind.allCases)
    func pages(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            let ids = (0..<25).map { "room \($0)" }
            _ = try await storage.append(ids.map { MemberAppend(id: $0, expected: 0, records: records(1...1)) }, synced: true)
            var (found, cursor, pages) = ([String](), String?.none, 0)
            repeat {
                let page = try await storage.ids(after: cursor, limit: 10)
                found += page.ids
                (cursor, pages) = (page.next, pages + 1)
            } while cursor != nil
            // Each storage has its own order.
            #expect(found.sorted() == ids.sorted())
            #expect(pages == 3)
        }
    }

    @Test("One fleet at a time owns the logs", arguments: Kind.allCases)
    func oneFleet(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            await #expect(throws: DurabilityError.self) { try await place.storage().open() }
            await #expect(throws: DurabilityError.self) { try await storage.open() }
            // The failed second call has not closed the storage.
            #expect(try await storage.count() == 0)
        }
        if kind != .folder { await #expect(throws: DurabilityError.closed) { try await place.storage().count() } }
        try await place.use { _, due in #expect(due.isEmpty) }
    }

    @Test(
        "Ids of any characters have logs of their own; one that a server cannot store is refused alone", arguments: Kind.allCases)
    func hostileIDs(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        // Without repetitions: an index of PostgreSQL compresses its keys.
        let random = String((0..<20_000).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement()! })
        let storable = [
            "*", ">", "a.*.>", "a b", "a\nb\r\n", "'; DROP TABLE member; --", "{\"a\"}", "caf\u{e9}", "cafe\u{301}", "=", "=41",
            String(random.prefix(2600)),
        ]
        let refused: [String] =
            switch kind {
            case .folder: []
            case .postgreSQL: ["", "a\u{0}", random, String(random.prefix(2601))]
            case .jetStream: [random, String(random.prefix(3001)), String(repeating: "/", count: 1001)]
            }
        let ids = storable + refused
        try await place.use { storage, _ async throws in
            let errors = try await storage.append(
                ids.enumerated().map {
                    MemberAppend(id: $1, expected: 0, records: records(1...UInt64($0 + 1)), due: Int64($0))
                }, synced: true)
            for (id, error) in zip(ids, errors) {
                if case .unwritable? = error {
                    #expect(refused.contains { $0.utf8.elementsEqual(id.utf8) })
                } else {
                    #expect(error == nil && storable.contains { $0.utf8.elementsEqual(id.utf8) })
                }
            }
            for id in refused { await #expect(throws: DurabilityError.self) { try await storage.read(id) } }
        }
        try await place.use { storage, due async throws in
            #expect(
                due.map { Array($0.id.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
                    == storable.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
            for (place, id) in storable.enumerated() {
                #expect(try await storage.read(id).records.count == place + 1)
            }
            try await storage.remove("*")
            #expect(try await storage.count() == storable.count - 1)
        }
    }

    @Test("A fleet in PostgreSQL opens with the longest answer time")
    func answerTime() async throws {
        let database = try Server.shared.get().database(answerTime: .seconds(Int64.max))
        let storage = PostgreSQLFleetStorage("mfleet-\(UInt64.random(in: 0...UInt64.max))", in: database)
        #expect(try storage.open().isEmpty)
        #expect(try storage.count() == 0)
        await storage.close()
    }

    @Test("Reads run concurrently with each other and with appends", arguments: Kind.allCases)
    func beside(_ kind: Kind) async throws {
        let place = try FleetPlace(kind)
        try await place.use { storage, _ async throws in
            _ = try await storage.append(
                (0..<8).map { MemberAppend(id: "\($0)", expected: 0, records: records(1...20)) }, synced: true)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for id in 0..<8 { group.addTask { try await storage.read("\(id)").records.count } }
                _ = try await storage.append([MemberAppend(id: "other", expected: 0, records: records(1...1))], synced: true)
                for try await count in group { #expect(count == 20) }
            }
        }
    }
}

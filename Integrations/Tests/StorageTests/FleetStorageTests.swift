import Moonlight
import MoonlightDurability
import MoonlightPostgreSQL
import Testing

@Suite("The logs of a fleet in PostgreSQL", .enabled(if: Server.isInstalled, Comment(rawValue: Server.comment)))
struct FleetStorageTests {
    private let name = "fleet-\(UInt64.random(in: 0...UInt64.max))"

    private func storage() throws -> PostgreSQLFleetStorage {
        PostgreSQLFleetStorage(name, in: try Server.shared.get().database, readers: 2)
    }

    private func with(_ body: (PostgreSQLFleetStorage, [MemberDue]) async throws -> Void) async throws {
        let storage = try storage()
        let due = try storage.open()
        do { try await body(storage, due) } catch {
            await storage.close()
            throw error
        }
        await storage.close()
    }

    @Test("each member has a log of its own, which is as it was left")
    func members() async throws {
        let identity = Box<UInt64>(0)
        try await with { storage, due async throws in
            #expect(due.isEmpty)
            #expect(try storage.read("a") == MemberLog())
            let made = try storage.append(
                [
                    MemberAppend(id: "a", expected: 0, records: records(1...2), due: 77),
                    MemberAppend(id: "ä/✈︎", expected: 0, records: records(1...1)),
                ], synced: true)
            #expect(made == [nil, nil])
            #expect(
                try storage.append([MemberAppend(id: "a", expected: 2, records: records(3...3), due: 78)], synced: false) == [nil]
            )
            try storage.sync()
            #expect(try storage.append([], synced: true).isEmpty)
            identity.value = storage.identity
        }
        try await with { storage, due async throws in
            #expect(due == [MemberDue(id: "a", due: 78)])
            #expect(storage.identity == identity.value)
            #expect(try storage.read("a") == MemberLog(records: records(1...3)))
            #expect(try storage.read("ä/✈︎") == MemberLog(records: records(1...1)))
            #expect(try storage.count() == 2)
            #expect(try storage.append([MemberAppend(id: "a", expected: 3, records: records(4...4))], synced: true) == [nil])
        }
        try await with { _, due in #expect(due.isEmpty) }
    }

    @Test("an append to a log that is not as expected is a conflict, and the others of the batch are made")
    func conflict() async throws {
        try await with { storage, _ async throws in
            _ = try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...2))], synced: true)
            let made = try storage.append(
                [
                    MemberAppend(id: "a", expected: 1, records: records(2...2)),
                    MemberAppend(id: "b", expected: 0, records: records(1...1)),
                    MemberAppend(id: "c", expected: 4, records: records(5...5)),
                ], synced: true)
            #expect(made[0] == .conflict(id: "a", expected: 1))
            #expect(made[1] == nil)
            guard case .missing(from: 1, to: 4, _) = made[2] else {
                Issue.record("\(String(describing: made[2]))")
                return
            }
            // A member that is there cannot be made again.
            #expect(
                try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...1))], synced: true)
                    == [.conflict(id: "a", expected: 0)])
            #expect(try storage.read("a").records == records(1...2))
            #expect(try storage.read("c") == MemberLog())
        }
    }

    @Test("a snapshot takes the place of the records that it includes, also by itself")
    func snapshots() async throws {
        try await with { storage, _ async throws in
            _ = try storage.append([MemberAppend(id: "a", expected: 0, records: records(1...3))], synced: true)
            _ = try storage.append([MemberAppend(id: "b", expected: 0, records: records(1...3))], synced: true)
            let both = MemberAppend(id: "a", expected: 3, records: records(4...5), snapshot: snapshot(4))
            #expect(try storage.append([both], synced: true) == [nil])
            #expect(try storage.read("a") == MemberLog(snapshot: snapshot(4), records: records(5...5)))
            let alone = MemberAppend(id: "a", expected: 5, records: [], snapshot: snapshot(5))
            #expect(try storage.append([alone], synced: true) == [nil])
            #expect(try storage.read("a") == MemberLog(snapshot: snapshot(5)))
            #expect(try storage.append([alone], synced: true) == [nil])
            #expect(try storage.append([MemberAppend(id: "a", expected: 5, records: records(6...6))], synced: true) == [nil])
            #expect(try storage.read("a") == MemberLog(snapshot: snapshot(5), records: records(6...6)))
            #expect(try storage.read("b").records.count == 3)
        }
    }

    @Test("ids are listed in pages, each once")
    func pages() async throws {
        try await with { storage, _ async throws in
            let ids = (0..<25).map { "room \($0)" }
            _ = try storage.append(ids.map { MemberAppend(id: $0, expected: 0, records: records(1...1)) }, synced: true)
            var (found, cursor, pages) = ([String](), String?.none, 0)
            repeat {
                let page = try storage.ids(after: cursor, limit: 10)
                found += page.ids
                (cursor, pages) = (page.next, pages + 1)
            } while cursor != nil
            #expect(found == ids.sorted())
            #expect(pages == 3)
        }
    }

    @Test("one fleet has the logs at a time, and an id that PostgreSQL cannot keep is refused")
    func refused() async throws {
        try await with { storage, _ async throws in
            #expect(throws: DurabilityError.self) { try self.storage().open() }
            #expect(throws: DurabilityError.self) { try storage.open() }
            for id in ["", "a\u{0}"] {
                #expect(throws: DurabilityError.self) {
                    try storage.append([MemberAppend(id: id, expected: 0, records: records(1...1))], synced: true)
                }
            }
        }
        #expect(throws: DurabilityError.closed) { try storage().count() }
    }

    @Test("reads run beside each other and beside appends")
    func beside() async throws {
        try await with { storage, _ async throws in
            _ = try storage.append(
                (0..<8).map { MemberAppend(id: "\($0)", expected: 0, records: records(1...20)) }, synced: true)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for id in 0..<8 { group.addTask { try storage.read("\(id)").records.count } }
                _ = try storage.append([MemberAppend(id: "other", expected: 0, records: records(1...1))], synced: true)
                for try await count in group { #expect(count == 20) }
            }
        }
    }
}

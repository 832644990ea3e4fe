import Moonlight
@_spi(Storage) import MoonlightDurability
import Testing

/// The requirements of a durable store on the folder and PostgreSQL.
@Suite(
    "Log storages", .enabled(if: Server.isInstalled && Cluster.isInstalled, "servers of PostgreSQL and NATS are not installed"))
struct StorageTests {
    @Test("A reopened storage has all appended records in order", arguments: Kind.allCases)
    func appended(_ kind: Kind) async throws {
        let place = try Place(kind)
        let identity = try await place.use { storage, found in
            #expect(found.isEmpty)
            try await storage.append(records(1...1), synced: true)
            try await storage.append(records(2...4), synced: false)
            try await storage.sync()
            return await storage.identity
        }
        try await place.use { storage, found in
            #expect(found == records(1...4))
            #expect(await storage.identity == identity)
            #expect(identity != 0)
            try await storage.append(records(5...5), synced: true)
        }
        try await place.use { _, found in #expect(found == records(1...5)) }
    }

    @Test("A storage reads thousands of records, empty and large ones, from any position", arguments: Kind.allCases)
    func many(_ kind: Kind) async throws {
        let place = try Place(kind)
        let large = LogRecord(sequence: 3002, schema: 1, payload: (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let all = records(1...3000) + [LogRecord(sequence: 3001, schema: 1, payload: []), large]
        try await place.use { storage, _ in try await storage.append(all, synced: true) }
        try await place.use { storage, found in
            #expect(found == all)
            let some = Box<[LogRecord]>([])
            _ = try await storage.read(after: 2999) { some.value.append($0) }
            #expect(some.value == all.suffix(3))
        }
    }

    @Test("A storage has one writer at a time", arguments: Kind.allCases)
    func oneWriter(_ kind: Kind) async throws {
        let place = try Place(kind)
        try await place.use { _, _ in
            let second = place.storage()
            do {
                _ = try await second.open()
                Issue.record("two writers")
            } catch DurabilityError.inUse(_, let holder) { #expect(!holder.isEmpty) }
        }
        try await place.use { _, _ in }
    }

    @Test("A storage is used by one store at a time", arguments: Kind.allCases)
    func oneStore(_ kind: Kind) async throws {
        let storage = try Place(kind).storage()
        _ = try await storage.open()
        await #expect(throws: DurabilityError.self) { try await storage.open() }
        // The failed second call has not closed the storage.
        #expect(await storage.identity != 0)
        await storage.close()
        _ = try await storage.open()
        await storage.close()
        await #expect(throws: DurabilityError.closed) { try await storage.sync() }
    }

    @Test("A storage keeps the last two snapshots with their versions, newest first", arguments: Kind.allCases)
    func snapshots(_ kind: Kind) async throws {
        let place = try Place(kind)
        try await place.use { storage, _ in
            for end in [2, 4, 6] as [UInt64] {
                try await storage.append(records(end - 1...end), synced: true)
                try await storage.roll()
                try await storage.save(snapshot(end))
            }
            try await storage.prune(keepsHistory: false)
            try await storage.append(records(7...7), synced: true)
        }
        let storage = place.storage()
        #expect(try await storage.open() == [6, 4])
        #expect(try await storage.snapshot(at: 6) == snapshot(6))
        let found = Box<[LogRecord]>([])
        _ = try await storage.read(after: 4) { found.value.append($0) }
        #expect(found.value == records(5...7))
        // The records of the older one were removed.
        await #expect(throws: DurabilityError.self) { try await storage.read(after: 0) { _ in } }
        await storage.close()
    }

    @Test("A storage keeps the history if requested", arguments: Kind.allCases)
    func history(_ kind: Kind) async throws {
        let place = try Place(kind)
        try await place.use { storage, _ in
            for end in [2, 4, 6] as [UInt64] {
                try await storage.append(records(end - 1...end), synced: true)
                try await storage.roll()
                try await storage.save(snapshot(end))
            }
            try await storage.prune(keepsHistory: true)
        }
        let storage = place.storage()
        #expect(try await storage.open() == [6, 4])
        let found = Box<[LogRecord]>([])
        _ = try await storage.read(after: 0) { found.value.append($0) }
        #expect(found.value == records(1...6))
        await storage.close()
    }

    @Test("The history includes the snapshots of resumptions", arguments: Kind.allCases)
    func resumedHistory(_ kind: Kind) async throws {
        let place = try Place(kind)
        try await place.use { storage, _ in
            try await storage.append(records(1...3), synced: true)
            try await storage.restart(from: snapshot(8))
            for end in [9, 10, 11] as [UInt64] {
                try await storage.append(records(end...end), synced: true)
                try await storage.roll()
                try await storage.save(snapshot(end))
                try await storage.prune(keepsHistory: true)
            }
        }
        try await place.use { storage, _ in
            try await storage.append(records(12...12), synced: true)
            try await storage.roll()
            try await storage.save(snapshot(12))
            try await storage.prune(keepsHistory: true)
        }
        let storage = place.storage()
        #expect(try await storage.open() == [12, 11, 8])
        #expect(try await storage.snapshot(at: 8) == snapshot(8))
        await storage.close()
    }

    @Test("A storage continues after a snapshot, even if earlier records are missing", arguments: Kind.allCases)
    func restarted(_ kind: Kind) async throws {
        let place = try Place(kind)
        try await place.use { storage, _ in
            try await storage.append(records(1...3), synced: true)
            try await storage.restart(from: snapshot(8))
            try await storage.append(records(9...10), synced: true)
        }
        let storage = place.storage()
        #expect(try await storage.open() == [8])
        let found = Box<[LogRecord]>([])
        _ = try await storage.read(after: 8) { found.value.append($0) }
        #expect(found.value == records(9...10))
        do {
            _ = try await storage.read(after: 0) { _ in }
            Issue.record("a gap was not noticed")
        } catch DurabilityError.missing(let from, let to, _) {
            #expect(from == 4)
            #expect(to == 8)
        }
        await storage.close()
    }

    @Test("A storage passes on an error of the closure that receives the records", arguments: Kind.allCases)
    func thrown(_ kind: Kind) async throws {
        struct Enough: Error {}
        let place = try Place(kind)
        try await place.use { storage, _ in
            try await storage.append(records(1...3), synced: true)
            await #expect(throws: Enough.self) { try await storage.read(after: 0) { _ in throw Enough() } }
            try await storage.append(records(4...4), synced: true)
        }
        try await place.use { _, found in #expect(found.count == 4) }
    }
}

/// A variable for a closure that is called at once.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

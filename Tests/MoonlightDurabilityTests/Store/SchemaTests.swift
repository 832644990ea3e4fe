import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Schemas")
struct SchemaTests {
    /// Effects of an earlier version.
    enum OldEffect: Codable {
        case sum(Int)
        case receipt(String)
    }

    struct OldTill: Codable { var sum: Int }

    private func write(_ disk: SimulatedDisk, version: UInt32 = 1, snapshot: Bool = false) async throws {
        let codec = Codec<Till.Effect>(
            encode: { effect in
                switch effect {
                case .added(let amount): try Codec<OldEffect>.json.encode(.sum(amount))
                case .paid(let name), .lost(let name): try Codec<OldEffect>.json.encode(.receipt(name))
                }
            },
            decode: { _ in throw Rejection("not read in this test") })
        let state = Codec<Till>(
            encode: { try Codec<OldTill>.json.encode(OldTill(sum: $0.total)) },
            decode: { _ in throw Rejection("not read in this test") })
        let store = try await open(
            disk, schema: Schema(Till.Effect.self, version: version, codec: codec),
            state: Schema(Till.self, version: version, codec: state))
        expectEqual(word(await store.send(.add(3))), "done")
        expectEqual(word(await store.send(.add(4))), "done")
        if snapshot {
            try await store.durability?.snapshot()
            expectEqual(word(await store.send(.add(5))), "done")
        }
        await store.close()
    }

    private let present = Schema(Till.Effect.self, version: 3).upcasting(from: 1) { (old: OldEffect) in
        switch old {
        case .sum(let amount): .added(amount * 100)
        case .receipt(let name): .paid(name)
        }
    }

    @Test("The error for an unknown version lists the known ones", arguments: [[3], [1, 3]] as [[UInt32]])
    func unknown(_ known: [UInt32]) {
        let error = DurabilityError.unknownVersion(of: "effects", version: 2, sequence: 4, known: known)
        let list = known == [3] ? "3" : "1, 3"
        expectEqual("\(error)", "record 4 has effects of version 2, but the schema reads only \(list): add an upcast")
    }

    @Test("Records of an older version are read by its upcast")
    func upcast() async throws {
        let disk = SimulatedDisk()
        try await write(disk)
        let store = try await open(disk, schema: present)
        expectEqual(store.state.total, 700)
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
        let again = try await open(disk, schema: present)
        expectEqual(again.state.total, 701)
        await again.close()
    }

    @Test("Records of an older version go through its upcast, even if the current type could read them")
    func upcastOfSameType() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        for amount in 1...3 { expectEqual(word(await store.send(.add(amount))), "done") }
        await store.close()
        let again = try await open(
            disk,
            schema: Schema(Till.Effect.self, version: 2).upcasting(from: 1) { (old: Till.Effect) in
                if case .added(let amount) = old { .added(amount * 100) } else { old }
            })
        expectEqual(again.state.total, 600)
        await again.close()
    }

    /// Writes the amounts 1, 2 and 3, one of them with other bytes, and returns the record that cannot be read.
    private func unreadableRecord(_ amount: Int, as bytes: String) async throws -> UInt64? {
        let disk = SimulatedDisk()
        let codec = Codec<Till.Effect>(
            encode: { $0 == .added(amount) ? Array(bytes.utf8) : try Codec.json.encode($0) },
            decode: { try Codec.json.decode($0) })
        let store = try await open(disk, schema: Schema(Till.Effect.self, version: 1, codec: codec))
        for amount in 1...3 { expectEqual(word(await store.send(.add(amount))), "done") }
        await store.close()
        let error = await #expect(throws: DurabilityError.self) { try await open(disk) }
        guard case .unreadable(let sequence, _) = error else { return nil }
        return sequence
    }

    @Test("An effect that cannot be read is named by its record, even when many are decoded at once")
    func unreadable() async throws {
        try await expectEqual(unreadableRecord(2, as: #"{"added":{"_0":"two"}}"#), 2)
        try await expectEqual(unreadableRecord(3, as: ""), 3)
    }

    @Test("A record of one effect with the bytes of two is an error")
    func tooMany() async throws {
        try await expectEqual(unreadableRecord(1, as: #"{"added":{"_0":1}},{"added":{"_0":1}}"#), 1)
    }

    @Test("A record of an unknown version is an error before anything is changed")
    func unknown() async throws {
        let disk = SimulatedDisk()
        try await write(disk, version: 2)
        // Even the torn end is kept.
        var files = disk.files
        files["till/" + LogKind.store.segment(0)]?.append(7)
        let torn = SimulatedDisk(files)
        let error = await #expect(throws: DurabilityError.self) { try await open(torn, schema: present) }
        expectEqual(error, .unknownVersion(of: "effects", version: 2, sequence: 1, known: [1, 3]))
        expectEqual(torn.calls, 0)
        expectEqual(torn.files, files)
        // The lock was released.
        try await open(torn, schema: Schema(Till.Effect.self, version: 3).upcasting(from: 2) { (_: OldEffect) in .added(1) })
            .close()
    }

    @Test("A snapshot of another state version is passed over, unless there is an upcast")
    func stateVersions() async throws {
        let disk = SimulatedDisk()
        try await write(disk, snapshot: true)
        let image = disk.files
        let doubting = try await open(disk, schema: present, state: Schema(Till.self, version: 2))
        expect(doubting.durability?.recovery.snapshot == nil)
        expectEqual(doubting.durability?.recovery.doubtedSnapshots, [2: "a state of version 1"])
        expectEqual(doubting.state.total, 1200)
        await doubting.close()
        let state = Schema(Till.self, version: 2).upcasting(from: 1) { (old: OldTill) in Till(total: old.sum) }
        let believing = try await open(SimulatedDisk(image), schema: present, state: state)
        expectEqual(believing.durability?.recovery.snapshot, 2)
        expectEqual(believing.state.total, 507)
        await believing.close()
    }

    @Test("A snapshot of another reducer version is passed over, which is an error without the records before it")
    func reducerVersions() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        for amount in 1...4 {
            expectEqual(word(await store.send(.add(amount))), "done")
            if amount == 2 { try await store.durability?.snapshot() }
        }
        await store.close()
        let again = try await open(SimulatedDisk(disk.files), reducerVersion: 2)
        expectEqual(again.state.total, 10)
        expectEqual(again.durability?.recovery.doubtedSnapshots, [2: "a reducer of version 1"])
        await again.close()
        // A second snapshot removes the records that the first includes.
        let more = try await open(disk)
        try await more.durability?.snapshot()
        expectEqual(word(await more.send(.add(1))), "done")
        await more.close()
        let error = await #expect(throws: DurabilityError.self) { try await open(disk, reducerVersion: 2) }
        expectEqual(
            error,
            .noSnapshot(
                reason: "that of record 4 is of a reducer of version 1, that of record 2 is of a reducer of version 1"))
    }
}

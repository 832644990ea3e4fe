import Foundation
import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Verifying a log by its reducer")
struct VerifyTests {
    /// A till that adds each amount twice.
    private static let changed = Reducer<Till, Till.Event, Till.Effect, Bank>(
        transform: { _, _, _ in .none },
        apply: { (state: inout Till, effect: Till.Effect) in
            if case .added(let amount) = effect { state.total += 2 * amount }
        })

    private func durable(_ disk: SimulatedDisk) -> DurableTill {
        DurableTill(storage: FolderStorage("till", files: disk), schema: Schema(Till.Effect.self), state: Schema(Till.self))
    }

    private func disk(keepsHistory: Bool) async throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = try await open(disk, keepsHistory: keepsHistory)
        for amount in 1...3 {
            expectEqual(word(await store.send(.add(amount))), "done")
            try await store.durability?.snapshot()
        }
        try await store.durability?.flush()
        await store.close()
        return disk
    }

    @Test("`verify` finds no differences in a log whose fold equals its snapshots", arguments: [true, false])
    func same(_ keepsHistory: Bool) async throws {
        let disk = try await disk(keepsHistory: keepsHistory)
        try await expectEqual(durable(disk).verify(Till.reducer, from: Till()), [])
    }

    @Test("`verify` reports each snapshot that differs after a change of `apply`, with the differences")
    func different() async throws {
        let all = try await durable(disk(keepsHistory: true)).verify(Self.changed, from: Till())
        expectEqual(all.map(\.sequence), [2, 3])
        expectEqual(all.map { $0.changes.map(\.description) }, [["total 3 -> 6"], ["total 6 -> 12"]])
        // Without the first records, the oldest snapshot is the beginning.
        let rest = try await durable(disk(keepsHistory: false)).verify(Self.changed, from: Till())
        expectEqual(rest.map(\.sequence), [3])
        expectEqual(rest.map { $0.changes.map(\.description) }, [["total 6 -> 9"]])
    }

    @Test("`verify` continues with the snapshot of a resumption after a failure", arguments: [true, false])
    func resumed(isSame: Bool) async throws {
        let disk = SimulatedDisk()
        let store = try await openResumed(disk)
        try await store.durability?.snapshot()
        await store.close()
        let differences = try await durable(disk).verify(isSame ? Till.reducer : Self.changed, from: Till())
        expectEqual(differences.map { $0.changes.map(\.description) }, isSame ? [] : [["total 7 -> 11"]])
    }

    @Test("History is complete after a resumption and any number of snapshots")
    func resumedHistory() async throws {
        let disk = SimulatedDisk()
        let store = try await openResumed(disk)
        for _ in 1...3 {
            expectEqual(word(await store.send(.add(1))), "done")
            try await store.durability?.snapshot()
        }
        try await store.durability?.flush()
        await store.close()
        expectEqual(LogKind.snapshots(in: disk.files.keys.map { String($0.dropFirst("till/".count)) }), [2, 5, 6])
        let folded = try await durable(disk).fold(Till.reducer, from: Till())
        expectEqual(folded.differences, [])
        expectEqual(folded.state.total, 10)
    }

    @Test("`Schema.check` folds each old log in a folder, changes nothing there, and names the one that fails")
    func check() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, amount) in [("v1", 3), ("v2", 4)] {
            let store = try await TillStore(
                reducer: Till.reducer, initialState: Till(), environment: Bank(),
                durable: .folder("\(folder)/\(name)", schema: Schema(Till.Effect.self, version: name == "v1" ? 1 : 2)))
            expectEqual(word(await store.send(.add(amount))), "done")
            await store.close()
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)/lock")
        }
        let schema = Schema(Till.Effect.self, version: 2).upcasting(from: 1) { (old: Till.Effect) in old }
        let states = try await schema.check(logsIn: folder, reducer: Till.reducer, from: Till(), state: Schema(Till.self))
        expectEqual(states, ["v1": Till(total: 3), "v2": Till(total: 4)])
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: "\(folder)/v1"), [LogKind.store.segment(0)])
        let error = await #expect(throws: DurabilityError.self) {
            try await Schema(Till.Effect.self, version: 2)
                .check(logsIn: folder, reducer: Till.reducer, from: Till(), state: Schema(Till.self))
        }
        guard case .oldLog("v1", let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expect(reason.contains("version 1"))
    }

    @Test("`Schema.check` names a folder of which only a snapshot is left")
    func checkSnapshotsAlone() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moonlight-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let schema = Schema(Till.Effect.self)
        let store = try await TillStore(
            reducer: Till.reducer, initialState: Till(), environment: Bank(), durable: .folder("\(folder)/v1", schema: schema))
        expectEqual(word(await store.send(.add(1))), "done")
        try await store.durability?.snapshot()
        await store.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/v1") where name.hasSuffix(".log") {
            try FileManager.default.removeItem(atPath: "\(folder)/v1/\(name)")
        }
        let error = await #expect(throws: DurabilityError.self) {
            try await schema.check(logsIn: folder, reducer: Till.reducer, from: Till(), state: Schema(Till.self))
        }
        if case .oldLog("v1", _) = error {} else { Issue.record("\(String(describing: error))") }
    }
}

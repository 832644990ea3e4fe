import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Snapshots and segments")
struct SpaceTests {
    private func names(_ disk: SimulatedDisk) -> [String] { disk.files.keys.map { String($0.dropFirst(5)) }.sorted() }

    @Test("A snapshot is made after the given number of effects, and files that two snapshots no longer need are removed")
    func snapshots() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, snapshotEvery: 3)
        for _ in 1...10 { expectEqual(word(await store.send(.add(1))), "done") }
        // The last snapshot is made concurrently with the store; another one waits for it.
        try await store.durability?.snapshot()
        try await store.durability?.flush()
        await store.close()
        expectEqual(names(disk).count, 4)
        expectEqual(LogKind.store.segments(in: names(disk)).count, 2)
        expectEqual(LogKind.snapshots(in: names(disk)), [9, 10])
        let again = try await open(disk)
        expectEqual(again.state.total, 10)
        expectEqual(again.durability?.recovery.snapshot, 10)
        expectEqual(again.durability?.recovery.effects, 0)
        await again.close()
    }

    @Test("Old segments are kept with `keepsHistory`")
    func history() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, keepsHistory: true)
        for _ in 1...4 {
            expectEqual(word(await store.send(.add(1))), "done")
            try await store.durability?.snapshot()
        }
        try await store.durability?.flush()
        await store.close()
        expectEqual(LogKind.store.segments(in: names(disk)).count, 5)
        expectEqual(LogKind.snapshots(in: names(disk)), [3, 4])
    }

    @Test("Segments have the chosen size, and all of them are read")
    func segments() throws {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(LogProgram.open(disk)).log
        for sequence in 1...40 as ClosedRange<UInt64> {
            try log.append([LogRecord(sequence: sequence, schema: 1, payload: [1, 2, 3])], synced: true)
        }
        log.close()
        expectEqual(LogKind.store.segments(in: disk.files.keys.map { String($0.dropFirst(4)) }).count, 14)
        try expectEqual(LogProgram.recover(LogProgram.open(disk)).last, 40)
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@testable import MoonlightDurability

@Suite("Snapshots and segments")
struct SpaceTests {
    private func names(_ disk: SimulatedDisk) -> [String] { disk.files.keys.map { String($0.dropFirst(5)) }.sorted() }

    @Test("A snapshot is made after so many effects, and lets go of what two snapshots no longer need")
    func snapshots() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, snapshotEvery: 3)
        for _ in 1...10 { #expect(word(await store.send(.add(1))) == "done") }
        // The last snapshot is made beside the store; another one waits for it.
        try await store.durability?.snapshot()
        try await store.durability?.flush()
        await store.close()
        #expect(
            names(disk)
                == [
                    FolderNames.segment(10), FolderNames.segment(11), FolderNames.snapshot(9), FolderNames.snapshot(10),
                ].sorted())
        let again = try await open(disk)
        #expect(again.state.total == 10)
        #expect(again.durability?.recovery.snapshot == 10)
        #expect(again.durability?.recovery.effects == 0)
        await again.close()
    }

    @Test("History is kept if that is wanted")
    func history() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk, keepsHistory: true)
        for _ in 1...4 {
            #expect(word(await store.send(.add(1))) == "done")
            try await store.durability?.snapshot()
        }
        try await store.durability?.flush()
        await store.close()
        #expect(FolderNames.segments(in: names(disk)) == [1, 2, 3, 4, 5])
        #expect(FolderNames.snapshots(in: names(disk)) == [3, 4])
    }

    @Test("Segments are as small as is asked for, and all of them are read")
    func segments() throws {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(LogProgram.open(disk)).log
        for sequence in 1...40 as ClosedRange<UInt64> {
            try log.append([LogRecord(sequence: sequence, schema: 1, payload: [1, 2, 3])], synced: true)
        }
        log.close()
        #expect(FolderNames.segments(in: disk.files.keys.map { String($0.dropFirst(4)) }).count == 8)
        #expect(try LogProgram.recover(LogProgram.open(disk)).last == 40)
    }
}

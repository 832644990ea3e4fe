import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Damage of a log")
struct LogDamageTests {
    /// The number of bytes of a record in a write of its own.
    private static func frameSize(_ count: Int) -> Int { LogFrame.headerSize + 21 + count }

    /// A log of synced records, each in a write of its own.
    private func disk(records: Int) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(LogProgram.open(disk, segmentSize: 1 << 20)).log
        for number in 1...UInt64(records) {
            try log.append([LogRecord(sequence: number, schema: 1, payload: Array("record \(number)".utf8))], synced: true)
        }
        log.close()
        return disk
    }

    @Test("A flipped bit is reported as damage in a middle record, and as a torn end in the last one")
    func bits() throws {
        let records = Budget.size(100, quick: 12)
        let files = try disk(records: records).files
        let name = "log/" + LogKind.store.segment(0)
        let bytes = try #require(files[name])
        var record: UInt64 = 1
        var start = SegmentHeader.size
        var end = start + Self.frameSize("record 1".utf8.count)
        var found = 0
        for place in SegmentHeader.size..<bytes.count {
            if place == end {
                record += 1
                start = end
                end += Self.frameSize("record \(record)".utf8.count)
            }
            // One bit in each byte of most records, and more in the exhaustive tier.
            let isWhole = [1, 2, records / 2, records - 1, records].contains(Int(record))
            for number in 0..<(isWhole ? 8 : min(8, Budget.rounds(1))) {
                let bit = (place + Budget.seed + number) % 8
                var damaged = files
                damaged[name]?[place] ^= 1 << UInt8(bit)
                let log = try LogProgram.open(SimulatedDisk(damaged))
                if record < records {
                    let error = #expect(throws: DurabilityError.self) { _ = try log.read(after: 0) { _ in } }
                    guard case .damaged(let file, start, _) = error else {
                        Issue.record("\(String(describing: error)) for bit \(bit) of byte \(place)")
                        continue
                    }
                    expectEqual(file, LogKind.store.segment(0))
                } else {
                    try expectEqual(log.read(after: 0) { _ in }?.offset, start)
                }
                found += 1
            }
        }
        expect(record == records && found >= bytes.count - SegmentHeader.size)
    }

    /// A folder with a snapshot and a log that continues after it.
    private func snapshotted() async throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let store = try await open(disk, keepsHistory: true)
        for amount in 1...4 {
            expectEqual(word(await store.send(.add(amount))), "done")
            if amount % 2 == 0 { try await store.durability?.snapshot() }
        }
        await store.close()
        return disk
    }

    @Test("A folder with a snapshot and no log is not opened as a new one, and not changed")
    func lostLog() async throws {
        let files = try await snapshotted().files.filter { !$0.key.hasSuffix(".log") }
        let disk = SimulatedDisk(files)
        let error = await #expect(throws: DurabilityError.self) { try await open(disk) }
        guard case .missing(from: 5, to: 5, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(disk.files.filter { $0.key.hasSuffix(".snapshot") }, files.filter { $0.key.hasSuffix(".snapshot") })
        expect(!disk.files.keys.contains { $0.hasSuffix(".log") })
    }

    @Test("A folder with a snapshot and without the segment behind it is not opened")
    func lostSegment() async throws {
        var files = try await snapshotted().files
        let newest = try #require(files.keys.filter { $0.hasSuffix(".log") }.max())
        files[newest] = nil
        let error = await #expect(throws: DurabilityError.self) { try await open(SimulatedDisk(files)) }
        expectEqual(error, .missing(from: 5, to: 5, reason: "the segment \(newest.dropFirst(5)) is missing"))
    }

    @Test("A log that ends before a damaged snapshot is not opened")
    func endsBeforeSnapshot() async throws {
        var files = try await snapshotted().files
        let names = files.keys.filter { $0.hasSuffix(".log") }.sorted()
        files[names[1]]?.removeSubrange(SegmentHeader.size...)
        files[names[2]] = nil
        let newest = "till/" + LogKind.snapshot(4)
        let count = try #require(files[newest]?.count)
        files[newest]?[count - 1] ^= 1
        let error = await #expect(throws: DurabilityError.self) { try await open(SimulatedDisk(files)) }
        expectEqual(error, .noSnapshot(reason: "the log ends with record 2, and that of record 4 is damaged"))
    }

    @Test("The folder of a fleet is not opened as that of a store, nor the other way round")
    func otherFolder() async throws {
        let (log, frames) = (
            SimulatedDisk(["till/" + LogKind.store.segment(0): []]), SimulatedDisk(["till/" + LogKind.fleet.segment(0): []])
        )
        await #expect(throws: DurabilityError.storage("till has the logs of a fleet, not that of a store")) {
            try await open(frames)
        }
        #expect(throws: DurabilityError.storage("till has the log of a store, not those of a fleet")) {
            _ = try FleetLog("till", files: log).open()
        }
    }

    @Test("A flipped bit of the header of a segment is found")
    func headerBits() throws {
        let files = try disk(records: 3).files
        let name = "log/" + LogKind.store.segment(0)
        for place in 0..<SegmentHeader.size * 8 {
            var damaged = files
            damaged[name]?[place / 8] ^= 1 << UInt8(place % 8)
            #expect(throws: DurabilityError.self, "bit \(place)") {
                _ = try LogProgram.open(SimulatedDisk(damaged))
            }
        }
    }

    @Test("A flipped bit of a snapshot is found, and the snapshot before it is used")
    func snapshotBits() throws {
        let disk = SimulatedDisk()
        let recovered = try LogProgram.recover(LogProgram.open(disk))
        for sequence in 1...2 as ClosedRange<UInt64> {
            try recovered.log.append([LogRecord(sequence: sequence, schema: 1, payload: [7])], synced: true)
            try recovered.log.roll()
            var writer = ByteWriter()
            writer.add(LogProgram.mix(sequence == 1 ? 0 : LogProgram.mix(0, [7]), [7]))
            try recovered.log.save(LogSnapshot(sequence: sequence, versions: LogProgram.versions, payload: writer.bytes))
        }
        let files = disk.files
        let name = "log/" + LogKind.snapshot(2)
        let count = try #require(files[name]?.count)
        for place in 0..<count * 8 {
            var damaged = files
            damaged[name]?[place / 8] ^= 1 << UInt8(place % 8)
            let log = try LogProgram.open(SimulatedDisk(damaged))
            try expect(log.snapshot(at: 2) == nil)
            let again = try LogProgram.recover(log)
            expect(again.last == 2 && again.state == LogProgram.mix(LogProgram.mix(0, [7]), [7]))
        }
    }

    @Test("A later write that survives a crash without an earlier one is a torn end, not damage")
    func laterWriteKept() throws {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(LogProgram.open(disk)).log
        try log.append([LogRecord(sequence: 1, schema: 1, payload: [1])], synced: true)
        let (calls, kept) = (disk.calls, disk.files)
        try log.append([LogRecord(sequence: 2, schema: 1, payload: [2])], synced: false)
        try log.append([LogRecord(sequence: 3, schema: 1, payload: [3])], synced: false)
        expectEqual(disk.calls, calls + 2)
        let name = "log/" + LogKind.store.segment(0)
        var image = disk.files
        let hole = try #require(kept[name]?.count)
        for place in hole..<hole + Self.frameSize(1) { image[name]?[place] = 0 }
        let again = try LogProgram.open(SimulatedDisk(image))
        let torn = try again.read(after: 0) { _ in }
        expect(torn?.offset == hole && torn?.count == 2 * Self.frameSize(1))
    }
}

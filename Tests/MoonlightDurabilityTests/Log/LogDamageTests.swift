import MoonlightTestSupport
import Testing

@testable import MoonlightDurability

@Suite("Damage of a log")
struct LogDamageTests {
    /// A log of synced records, each in a write of its own.
    private func disk(records: Int) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(FolderLog("log", files: disk, note: "test", segmentSize: 1 << 20)).log
        for number in 1...UInt64(records) {
            try log.append([LogRecord(sequence: number, schema: 1, payload: Array("record \(number)".utf8))], synced: true)
        }
        log.close()
        return disk
    }

    @Test("Each bit of each of 100 records is missed: in the middle as damage of that record, in the last one as a torn end")
    func bits() throws {
        let files = try disk(records: 100).files
        let name = "log/" + FolderNames.segment(1)
        let bytes = try #require(files[name])
        var record: UInt64 = 1
        var end = SegmentHeader.size + RecordFormat.headerSize + "record 1".utf8.count
        var found = 0
        for place in SegmentHeader.size..<bytes.count {
            if place == end {
                record += 1
                end += RecordFormat.headerSize + "record \(record)".utf8.count
            }
            // All bits in a long run. Otherwise, of most records, one bit of each byte, another each time.
            let bits = LogCrashTests.isLong || [1, 2, 50, 99, 100].contains(record) ? Array(0..<8) : [place % 8]
            for bit in bits {
                var damaged = files
                damaged[name]?[place] ^= 1 << UInt8(bit)
                let log = try FolderLog("log", files: SimulatedDisk(damaged), note: "test", segmentSize: 1 << 20)
                if record < 100 {
                    let error = #expect(throws: DurabilityError.self) { _ = try log.read(after: 0) { _ in } }
                    guard case .damaged(let file, _, record, _) = error else {
                        Issue.record("\(String(describing: error)) for bit \(bit) of byte \(place)")
                        continue
                    }
                    #expect(file == FolderNames.segment(1))
                } else {
                    #expect(try log.read(after: 0) { _ in }?.sequence == 100)
                }
                found += 1
            }
        }
        #expect(record == 100 && found >= 4000)
    }

    @Test("Each bit of the header of a segment is missed")
    func headerBits() throws {
        let files = try disk(records: 3).files
        let name = "log/" + FolderNames.segment(1)
        for place in 0..<SegmentHeader.size * 8 {
            var damaged = files
            damaged[name]?[place / 8] ^= 1 << UInt8(place % 8)
            #expect(throws: DurabilityError.self, "bit \(place)") {
                _ = try FolderLog("log", files: SimulatedDisk(damaged), note: "test", segmentSize: 1 << 20)
            }
        }
    }

    @Test("Each bit of a snapshot is missed, and the one before it is used")
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
        let name = "log/" + FolderNames.snapshot(2)
        let count = try #require(files[name]?.count)
        for place in 0..<count * 8 {
            var damaged = files
            damaged[name]?[place / 8] ^= 1 << UInt8(place % 8)
            let log = try LogProgram.open(SimulatedDisk(damaged))
            #expect(try log.snapshot(at: 2) == nil)
            let again = try LogProgram.recover(log)
            #expect(again.last == 2 && again.state == LogProgram.mix(LogProgram.mix(0, [7]), [7]))
        }
    }

    @Test("A later write that a crash has kept, when it lost an earlier one, proves no damage")
    func laterWriteKept() throws {
        let disk = SimulatedDisk()
        let log = try LogProgram.recover(LogProgram.open(disk)).log
        try log.append([LogRecord(sequence: 1, schema: 1, payload: [1])], synced: true)
        let (calls, kept) = (disk.calls, disk.files)
        try log.append([LogRecord(sequence: 2, schema: 1, payload: [2])], synced: false)
        try log.append([LogRecord(sequence: 3, schema: 1, payload: [3])], synced: false)
        #expect(disk.calls == calls + 2)
        let name = "log/" + FolderNames.segment(1)
        var image = disk.files
        let hole = try #require(kept[name]?.count)
        for place in hole..<hole + RecordFormat.headerSize + 1 { image[name]?[place] = 0 }
        let again = try LogProgram.open(SimulatedDisk(image))
        let torn = try again.read(after: 0) { _ in }
        #expect(torn?.sequence == 2 && torn?.offset == hole && torn?.count == 2 * (RecordFormat.headerSize + 1))
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// Folders without some of their files, as after an incomplete copy.
@Suite("Missing files of a log")
struct MissingFileTests {
    private func run(_ disk: SimulatedDisk, _ arguments: String...) -> (code: Int32, out: [String], err: [String]) {
        let (out, err) = (Recorder<String>(), Recorder<String>())
        let code = LogTool(files: disk, print: { out.append($0) }, complain: { err.append($0) }).run(arguments)
        return (code, out.all, err.all)
    }

    // MARK: Series of segments

    /// The disk with a store of nine records, or a fleet of nine members, in small segments.
    private func series(_ kind: LogKind) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try append(1...9, kind, to: disk)
        return disk
    }

    private func append(_ numbers: ClosedRange<UInt64>, _ kind: LogKind, to disk: SimulatedDisk) throws {
        let coding = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)
        func record(_ sequence: UInt64) throws -> LogRecord { try coding.record(of: [.effect(Array("7".utf8))], at: sequence) }
        switch kind {
        case .store:
            let log = try LogProgram.recover(LogProgram.open(disk, segmentSize: Self.size)).log
            for number in numbers { try log.append([record(number)], synced: true) }
            log.close()
        case .fleet:
            let log = FleetLog("log", files: disk, segmentSize: Self.size)
            _ = try log.open()
            for number in numbers {
                _ = try log.append([.init(id: "\(number)", expected: 0, records: [record(1)])], synced: true)
            }
            log.close()
        }
    }

    private static let size = 200

    /// Opens the log in a folder.
    private func reopen(_ kind: LogKind, _ disk: SimulatedDisk) throws {
        switch kind {
        case .store: _ = try LogProgram.recover(LogProgram.open(disk, segmentSize: Self.size))
        case .fleet: _ = try FleetLog("log", files: disk, segmentSize: Self.size).open()
        }
    }

    private func segments(_ files: [String: [UInt8]]) -> [String] { files.keys.filter { !$0.hasSuffix("lock") }.sorted() }

    @Test(
        "A log without its newest segments is not opened, and `verify`, `stat` and `salvage` report them",
        arguments: [LogKind.store, .fleet])
    func newest(kind: LogKind) throws {
        let files = try series(kind).files
        let names = segments(files)
        expect(names.count > 2)
        for count in 1..<names.count {
            let left = files.filter { file in !names.suffix(count).contains(file.key) }
            let disk = SimulatedDisk(left)
            let error = #expect(throws: DurabilityError.self) { try reopen(kind, disk) }
            guard case .missing(_, _, "the segment \(names[names.count - count].dropFirst(4)) is missing") = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            disk.unlockAll()
            for verb in ["verify", "stat"] { expectEqual(run(disk, "log", verb, "log").code, 1, "\(verb)") }
            let salvaged = run(disk, "log", "salvage", "log", "new")
            expectEqual(salvaged.code, 1)
            expect(salvaged.err.contains { $0.contains(names[names.count - count].dropFirst(4)) }, "\(salvaged.err)")
        }
    }

    @Test(
        "A log whose segments do not say what follows them is opened, and says it from then on",
        arguments: [LogKind.store, .fleet])
    func unmarked(kind: LogKind) throws {
        var files = try series(kind).files
        let names = segments(files)
        // As an earlier version of the library has written it.
        for (name, next) in zip(names, names.dropFirst()) {
            let first = { (name: String) in Int(name.dropFirst(4).prefix(20)) ?? 0 }
            files[name]?.removeSubrange((SegmentHeader.size + first(next) - first(name))...)
        }
        let old = SimulatedDisk(files)
        try reopen(kind, old)
        old.unlockAll()
        for disk in [SimulatedDisk(files), old] {
            expectEqual(run(disk, "log", "verify", "log").err, [])
            expectEqual(run(disk, "log", "verify", "log").code, 0)
        }
        files = old.files
        files[names[names.count - 1]] = nil
        #expect(throws: DurabilityError.self) { try reopen(kind, SimulatedDisk(files)) }
    }

    @Test(
        "After a crash at any call, the log is opened, and is not opened once its newest segment is missing",
        arguments: [LogKind.store, .fleet])
    func crashes(kind: LogKind) throws {
        var crash = 0
        var dice = Dice(seed: Budget.seed)
        var found = 0
        while true {
            crash += 1
            let disk = SimulatedDisk()
            disk.crash = crash
            try? append(1...9, kind, to: disk)
            guard disk.isCrashed else { break }
            let again = SimulatedDisk(disk.contents.image(&dice))
            try reopen(kind, again)
            var files = again.files
            let names = segments(files)
            if names.count < 2 { continue }
            found += 1
            files[names[names.count - 1]] = nil
            #expect(throws: DurabilityError.self, "crash \(crash)") { try reopen(kind, SimulatedDisk(files)) }
        }
        expect(found > 20)
    }

    @Test("A fleet continues behind a failed write in a new segment, without which it is not opened")
    func mended() throws {
        let disk = SimulatedDisk()
        let log = FleetLog("log", files: disk)
        _ = try log.open()
        let record = LogRecord(sequence: 1, schema: 1, payload: [1, 2, 3])
        _ = try log.append([.init(id: "a", expected: 0, records: [record])], synced: true)
        disk.faults = [disk.calls + 2: .fails(.device)]
        #expect(throws: DurabilityError.self) {
            _ = try log.append([.init(id: "b", expected: 0, records: [record])], synced: true)
        }
        try expectEqual(log.append([.init(id: "c", expected: 0, records: [record])], synced: true), [nil])
        log.close()
        var files = disk.files
        let names = segments(files)
        expectEqual(names.count, 2)
        try reopen(.fleet, SimulatedDisk(files))
        files[names[1]] = nil
        #expect(throws: DurabilityError.self) { try reopen(.fleet, SimulatedDisk(files)) }
    }

    @Test("`verify` of a log that begins a segment meanwhile reports no fault", arguments: [LogKind.store, .fleet])
    func written(kind: LogKind) throws {
        let disk = SimulatedDisk()
        try append(1...2, kind, to: disk)
        expectEqual(segments(disk.files).count, 1)
        disk.beforeRead = { [self, disk] in
            disk.beforeRead = nil
            try? append(3...4, kind, to: disk)
        }
        let verified = run(disk, "log", "verify", "log")
        expect(disk.beforeRead == nil && segments(disk.files).count == 2)
        expectEqual(verified.err, [])
        expectEqual(verified.code, 0)
    }
}

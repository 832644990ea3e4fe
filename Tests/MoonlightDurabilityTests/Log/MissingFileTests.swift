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

    /// Returns every choice of files that lacks at least one.
    private func remains(of files: [String: [UInt8]]) -> [[String: [UInt8]]] {
        let names = files.keys.sorted()
        return (0..<1 << names.count - 1).map { choice in
            files.filter { file in names.firstIndex(of: file.key).map { choice >> $0 & 1 == 1 } ?? false }
        }
    }

    // MARK: Stores

    /// The files of a till with the total 15 in five records, and snapshots of records 2 and 4.
    private func till(keepsHistory: Bool) async throws -> [String: [UInt8]] {
        let disk = SimulatedDisk()
        let store = try await open(disk, keepsHistory: keepsHistory)
        for amount in 1...5 {
            expectEqual(word(await store.send(.add(amount))), "done")
            if amount == 2 || amount == 4 { try await store.durability?.snapshot() }
        }
        try await store.durability?.flush()
        await store.close()
        return disk.files
    }

    /// The files of a till with the total 7, whose log was resumed after a failure.
    private func resumedTill() async throws -> [String: [UInt8]] {
        let disk = SimulatedDisk()
        await (try openResumed(disk)).close()
        return disk.files
    }

    /// Opens a till, and returns its total; nil if it is not opened.
    private func total(of files: [String: [UInt8]]) async -> Int? {
        guard let store = try? await open(SimulatedDisk(files)) else { return nil }
        let total = store.state.total
        await store.close()
        return total
    }

    /// The files that `salvage` has made in the folder `new`, as those of a till.
    private func salvage(on disk: SimulatedDisk) -> [String: [UInt8]] {
        let files = disk.files.filter { $0.key.hasPrefix("new/") }
        return Dictionary(uniqueKeysWithValues: files.map { ("till/" + $0.key.dropFirst(4), $0.value) })
    }

    @Test(
        "A store without some of its files is opened as it was or refused, which `verify` reports, and `salvage` reports each loss",
        arguments: [(files: 4, total: 15), (5, 15), (3, 7)])
    func store(count: Int, total whole: Int) async throws {
        let files = whole == 7 ? try await resumedTill() : try await till(keepsHistory: count == 5)
        expectEqual(files.count, count)
        let intact = run(SimulatedDisk(files), "log", "salvage", "till", "new")
        expect(intact.code == 0 && intact.err == [], "\(intact)")
        for left in remains(of: files) where !left.isEmpty {
            let name = "\(left.keys.sorted())"
            let found = await total(of: left)
            expect(found == nil || found == whole, "\(name): the total is \(found ?? 0)")
            let disk = SimulatedDisk(left)
            let verified = run(disk, "log", "verify", "till")
            if found == nil { expect(verified.code == 1 && !verified.err.isEmpty, "\(name): \(verified)") }
            if found == nil {
                for verb in ["stat", "print"] { expectEqual(run(disk, "log", verb, "till").code, 1, "\(verb), \(name)") }
            }
            let salvaged = run(disk, "log", "salvage", "till", "new")
            expectEqual(salvaged.code == 1, !salvaged.err.isEmpty, "\(name)")
            let again = await total(of: salvage(on: disk))
            expect(again != nil, "\(name): the salvaged log is not opened")
            if again != whole { expectEqual(salvaged.code, 1, "\(name): salvage lost \(whole - (again ?? 0)) without a word") }
        }
    }

    @Test("`verify` reports a folder that is not opened because of a later snapshot of another log")
    func otherSnapshot() async throws {
        let disk = SimulatedDisk()
        let store = try await open(disk)
        expectEqual(word(await store.send(.add(1))), "done")
        await store.close()
        var files = disk.files
        let newest = "till/" + LogKind.snapshot(4)
        files[newest] = try await till(keepsHistory: true)[newest]
        await expect(total(of: files) == nil)
        let reason = "the log ends with record 1, and that of record 4 is damaged"
        let verified = run(SimulatedDisk(files), "log", "verify", "till")
        expectEqual(verified.err, ["till: \(DurabilityError.noSnapshot(reason: reason))"])
        expectEqual(verified.code, 1)
    }

    @Test("`salvage` of snapshots without a log continues behind the newest one, and names what is missing")
    func snapshotsAlone() async throws {
        let left = try await till(keepsHistory: false).filter { $0.key.hasSuffix(".snapshot") }
        let disk = SimulatedDisk(left)
        let result = run(disk, "log", "salvage", "till", "new")
        expectEqual(result.out, ["the records to 4 are in new"])
        expectEqual(result.code, 1)
        expectEqual(
            result.err,
            [
                "till: it has snapshots, but no segment of their log",
                "till: records 3 to 4 are only in the snapshot of record 4", "till: the records after 4 are lost",
            ])
        await expectEqual(total(of: salvage(on: disk)), 10)
        // Of the records that were asked for, none is left.
        let first = run(disk, "log", "salvage", "till", "other", "--to", "1")
        expectEqual(first.code, 1)
        expectEqual(first.out, ["the records to 0 are in other"])
        expect(first.err.last == "till: the records after 0 are lost", "\(first.err)")
    }

    @Test("`salvage` reports a missing newest segment, and a damaged snapshot that it does not copy")
    func newestSegment() async throws {
        var files = try await till(keepsHistory: true)
        let newest = try #require(files.keys.filter { $0.hasSuffix(".log") }.max())
        let bytes = files.removeValue(forKey: newest)
        let lost = run(SimulatedDisk(files), "log", "salvage", "till", "new")
        expectEqual(lost.code, 1)
        expectEqual(
            lost.err,
            [
                "till: records 5 to 5 are missing: the segment \(newest.dropFirst(5)) is missing",
                "till: the records after 4 are lost",
            ])
        expectEqual(lost.out, ["the records to 4 are in new"])
        // Records up to the fourth do not need it.
        expectEqual(run(SimulatedDisk(files), "log", "salvage", "till", "new", "--to", "4").code, 0)
        files[newest] = bytes
        files["till/" + LogKind.snapshot(2)]?[20] ^= 1
        let damaged = run(SimulatedDisk(files), "log", "salvage", "till", "new")
        expectEqual(damaged.code, 1)
        expectEqual(
            damaged.err, ["till: \(LogKind.snapshot(2)) is damaged at offset 0: its checksum is wrong"])
        expectEqual(damaged.out, ["the records to 5 are in new"])
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
            for verb in ["verify", "stat", "print"] { expectEqual(run(disk, "log", verb, "log").code, 1, "\(verb)") }
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

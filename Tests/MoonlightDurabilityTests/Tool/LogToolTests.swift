import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("The program `moonlight log`")
struct LogToolTests {
    /// A log of five records in segments of two, two, and one.
    private func disk() async throws -> SimulatedDisk {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank, keepsHistory: true)
        expectEqual(word(await store.send(.add(1), key: "k")), "done")
        expectEqual(word(await store.send(.refuse, key: "r\n\"")), "rejected: no more at 1")
        try await store.durability?.snapshot()
        expectEqual(word(await store.send(.addBoth(2, 3))), "done")
        store.post(.pay("ann"))
        await bank.attempts.count(1)
        try await store.durability?.snapshot()
        bank.answer("ann")
        await store.quiet()
        try await store.durability?.flush()
        await store.close()
        return disk
    }

    private func run(_ disk: SimulatedDisk, _ arguments: String...) -> (code: Int32, out: [String], err: [String]) {
        let (out, err) = (Recorder<String>(), Recorder<String>())
        let code = LogTool(files: disk, print: { out.append($0) }, complain: { err.append($0) }).run(arguments)
        return (code, out.all, err.all)
    }

    @Test("`print` writes an entry a line, or a record a line as JSON, and takes a range")
    func prints() async throws {
        let disk = try await disk()
        let text = run(disk, "log", "print", "till")
        expect(text.code == 0 && text.err == [])
        let begun = try #require(text.out.first { $0.contains("begun") }).split(separator: " ")
        let key = try #require(begun.drop { $0 != "key" }.dropFirst().first?.dropLast())
        expectEqual(
            text.out,
            [
                "1\teffect {\"added\":{\"_0\":1}}", "1\tanswered key k", "2\tanswered key r\\n\", rejected: no more at 1",
                "3\teffect {\"added\":{\"_0\":2}}", "3\teffect {\"added\":{\"_0\":3}}",
                "4\tbegun work 1, job pay, key \(key), attempt 1, event {\"pay\":{\"_0\":\"ann\"}}",
                "5\teffect {\"paid\":{\"_0\":\"ann\"}}", "6\tended work 1",
            ])
        let json = run(disk, "log", "print", "till", "--json", "--from", "4", "--to", "5")
        expectEqual(
            json.out,
            [
                "{\"sequence\":4,\"schema\":1,\"entries\":[{\"begun\":{\"work\":1,\"attempt\":1,\"key\":\"\(key)\",\"job\":\"pay\","
                    + "\"event\":{\"pay\":{\"_0\":\"ann\"}}}}]}",
                "{\"sequence\":5,\"schema\":1,\"entries\":[{\"effect\":{\"paid\":{\"_0\":\"ann\"}}}]}",
            ])
        let quoted = run(disk, "log", "print", "till", "--json", "--from", "2", "--to", "2").out[0]
        expect(quoted.contains("\"key\":\"r\\n\\\"\"") && quoted.contains("\"rejection\":\"no more at 1\""))
    }

    @Test("A value that is not JSON is printed in hexadecimal digits")
    func hexadecimal() throws {
        var writer = ByteWriter()
        try EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw).append(.effect([0, 0xAB, 0x0F]), to: &writer)
        let lines = try LogLines(isJSON: true).lines(of: LogRecord(sequence: 1, schema: 9, payload: writer.bytes))
        expectEqual(lines, ["{\"sequence\":1,\"schema\":9,\"entries\":[{\"effect\":\"00ab0f\"}]}"])
    }

    @Test("`print` complains of a record that it cannot read, and prints those after it")
    func unreadable() throws {
        let disk = SimulatedDisk()
        let log = StoreLog(LogFolder("till", .store, disk), segmentSize: 1 << 20)
        _ = try log.open()
        try log.begin(after: 0)
        let raw = EntryCoding<[UInt8], [UInt8]>(effects: .raw, events: .raw)
        let unknown = LogRecord(sequence: 1, schema: 1, payload: [99, 0, 0, 0, 0])
        try log.append([unknown, raw.record(of: [.effect(Array("7".utf8))], at: 2)], synced: true)
        log.close()
        let (code, out, err) = run(disk, "log", "print", "till")
        expectEqual(code, 1)
        expectEqual(out, ["2\teffect 7"])
        expectEqual(
            err, ["till: record 1 cannot be read: it has an entry of kind 99, which a later version of the library writes"])
    }

    @Test("`verify` and `stat` find no fault in an intact log, even while it is written")
    func whole() async throws {
        let disk = try await disk()
        let store = try await open(disk)
        let verified = run(disk, "log", "verify", "till")
        expect(verified.code == 0 && verified.err == [])
        expectEqual(verified.out, ["6 records, 2 snapshots, 0 faults"])
        let stat = run(disk, "log", "stat", "till")
        expectEqual(stat.code, 0)
        expectEqual(stat.out.map { $0.split(separator: " ")[0] }, ["segments", "snapshots", "frames", "schemas"])
        expect(stat.out[2].hasPrefix("frames") && stat.out[2].hasSuffix("with 6 records"))
        expect(stat.out[1].hasSuffix("of records 2, 4"))
        await store.close()
    }

    @Test("`verify` prints a line for each fault, and continues after it")
    func faults() async throws {
        var files = try await disk().files
        files["till/" + LogKind.store.segment(0)]?[SegmentHeader.size + 30] ^= 1
        files["till/" + LogKind.snapshot(2)]?[20] ^= 1
        let verified = run(SimulatedDisk(files), "log", "verify", "till")
        expectEqual(verified.code, 1)
        expectEqual(
            verified.err,
            [
                "till: 00000000000000000000.log is damaged at offset 48: its checksum is wrong",
                "till: 00000000000000000002.snapshot is damaged at offset 0: its checksum is wrong",
            ])
        expectEqual(verified.out, ["5 records, 2 snapshots, 2 faults"])
    }

    /// The disk with a salvaged log, as that of the till.
    private func salvaged(_ disk: SimulatedDisk) -> SimulatedDisk {
        let files = disk.files.filter { $0.key.hasPrefix("new/") && !$0.key.hasSuffix("lock") }
        return SimulatedDisk(Dictionary(uniqueKeysWithValues: files.map { ("till/" + $0.key.dropFirst(4), $0.value) }))
    }

    @Test("`salvage` copies the records of a store before the damage, and does not change the old folder")
    func salvage() async throws {
        var files = try await disk().files
        // The snapshots are irrelevant here.
        files["till/" + LogKind.snapshot(4)] = nil
        files["till/" + LogKind.snapshot(2)] = nil
        let names = files.keys.filter { $0.hasSuffix(".log") }.sorted()
        files[names[1]]?[SegmentHeader.size + 30] ^= 1
        let disk = SimulatedDisk(files)
        await #expect(throws: DurabilityError.self) { try await open(disk) }
        disk.unlockAll()
        let result = run(disk, "log", "salvage", "till", "new")
        expectEqual(result.code, 1)
        expectEqual(result.out, ["the records to 2 are in new"])
        expectEqual(
            result.err,
            [
                "till: \(names[1].dropFirst(5)) is damaged at offset 48: its checksum is wrong",
                "till: the records after 2 are lost",
            ])
        for (name, bytes) in files where name.hasSuffix(".log") { expectEqual(disk.files[name], bytes) }
        let new = salvaged(disk)
        let store = try await open(new)
        expectEqual(store.state.total, 1)
        expectEqual(word(await store.send(.add(4))), "done")
        let busy = run(new, "log", "salvage", "till", "other")
        expect(busy.code == 1 && busy.err.count == 1 && busy.err[0].contains("in use by process"))
        await store.close()
        expectEqual(run(new, "log", "verify", "till").out, ["3 records, 0 snapshots, 0 faults"])
        let first = run(new, "log", "salvage", "till", "new", "--to", "1")
        expect(first.code == 0 && first.err == [])
        expectEqual(run(salvaged(new), "log", "verify", "till").out, ["1 records, 0 snapshots, 0 faults"])
    }

    @Test("`salvage` creates nothing if the old log cannot be read, and escapes the name of the new folder")
    func salvageNothing() async throws {
        var files = try await disk().files
        let names = files.keys.filter { $0.hasSuffix(".log") }.sorted()
        // A segment of another log.
        files[names[1]] = try await self.disk().files[names[1]]
        let disk = SimulatedDisk(files)
        let result = run(disk, "log", "salvage", "till", "new")
        expectEqual(result.code, 1)
        expect(result.out.isEmpty && !disk.files.keys.contains { $0.hasPrefix("new") }, "\(disk.files.keys)")
        let named = run(try await self.disk(), "log", "salvage", "till", "new\u{1B}[2J\n")
        expectEqual(named.out, ["the records to 6 are in new\\u{1B}[2J\\n"])
    }

    @Test("`salvage` keeps the snapshots and records of an intact log, and a store continues with them")
    func salvageWhole() async throws {
        let disk = try await disk()
        let result = run(disk, "log", "salvage", "till", "new")
        expect(result.code == 0 && result.err == [])
        let new = salvaged(disk)
        let verified = run(new, "log", "verify", "till")
        expectEqual(verified.out, ["6 records, 2 snapshots, 0 faults"])
        expectEqual(run(new, "log", "print", "till").out, run(disk, "log", "print", "till").out)
        let store = try await open(new)
        expectEqual(store.state.total, 6)
        expectEqual(store.durability?.recovery.snapshot, 4)
        await store.close()
    }

    @Test("`salvage` continues behind a snapshot that includes the damaged records")
    func damageBeforeSnapshot() async throws {
        var files = try await disk().files
        files["till/" + LogKind.store.segment(0)]?[SegmentHeader.size + 30] ^= 1
        let disk = SimulatedDisk(files)
        let result = run(disk, "log", "salvage", "till", "new")
        expectEqual(result.code, 1)
        expectEqual(
            result.err,
            [
                "till: \(LogKind.store.segment(0)) is damaged at offset 48: its checksum is wrong",
                "till: records 1 to 2 are only in the snapshot of record 2",
            ])
        expectEqual(result.out, ["the records to 6 are in new"])
        let new = salvaged(disk)
        let verified = run(new, "log", "verify", "till")
        expectEqual(verified.code, 0)
        expectEqual(verified.out.first, "records 1 to 2 are only in a snapshot: the log was resumed behind it")
        expectEqual(verified.out.last, "4 records, 2 snapshots, 0 faults")
        let store = try await open(new)
        expectEqual(store.state.total, 6)
        await store.close()
    }

    @Test("`salvage` omits a snapshot of another log, as a store does")
    func otherSnapshot() async throws {
        var files: [[String: [UInt8]]] = []
        for amount in [1, 100] {
            let disk = SimulatedDisk()
            let store = try await open(disk)
            expectEqual(word(await store.send(.add(amount))), "done")
            try await store.durability?.snapshot()
            await store.close()
            files.append(disk.files)
        }
        let name = "till/" + LogKind.snapshot(1)
        let disk = SimulatedDisk(files[0].merging([name: files[1][name] ?? []]) { $1 })
        expectEqual(run(disk, "log", "salvage", "till", "new").code, 0)
        for disk in [disk, salvaged(disk)] {
            let store = try await open(disk)
            expectEqual(store.state.total, 1)
            await store.close()
        }
    }

    @Test("`verify` finds no fault in a log that was resumed after a failure")
    func restart() async throws {
        let disk = SimulatedDisk()
        let store = try await openResumed(disk)
        await store.close()
        let verified = run(disk, "log", "verify", "till")
        expectEqual(verified.code, 0)
        expectEqual(verified.out.last, "2 records, 1 snapshots, 0 faults")
        expect(verified.out.contains { $0.hasPrefix("records 2 to 2 are only in a snapshot") })
    }

    @Test("The history of a log that was resumed has no fault after later snapshots, and is salvaged without a loss")
    func restartInHistory() async throws {
        let disk = SimulatedDisk()
        let store = try await openResumed(disk)
        for _ in 1...2 {
            expectEqual(word(await store.send(.add(1))), "done")
            try await store.durability?.snapshot()
        }
        try await store.durability?.flush()
        await store.close()
        for folder in ["till", "new"] {
            let verified = run(disk, "log", "verify", folder)
            expectEqual(verified.code, 0)
            expectEqual(verified.out.last, "4 records, 3 snapshots, 0 faults")
            if folder == "till" { expectEqual(run(disk, "log", "salvage", "till", "new").code, 0) }
        }
        let folded = try await DurableTill(
            storage: FolderStorage("new", files: disk), schema: Schema(Till.Effect.self), state: Schema(Till.self)
        ).fold(Till.reducer, from: Till())
        expectEqual(folded.differences, [])
        expectEqual(folded.state.total, 9)
    }

    @Test(
        "A folder without a log is refused by name, and so is one with the logs of a store and of a fleet",
        arguments: ["verify", "print", "stat"])
    func noLog(verb: String) async throws {
        var files = try await disk().files
        for folder in ["none", "empty", "strange"] {
            let disk = SimulatedDisk(files.merging(["strange/a.log": [1]]) { $1 })
            let (code, out, err) = run(disk, "log", verb, folder)
            expect(code == 1 && out.isEmpty && err.count == 1 && err[0].hasPrefix(folder + ": "), "\(folder): \(err)")
        }
        files["till/" + LogKind.fleet.segment(0)] = [1]
        let both = run(SimulatedDisk(files), "log", verb, "till")
        expectEqual(both.err, ["till: it has segments of a store (.log) and of a fleet (.fleet)"])
        expectEqual(both.code, 1)
    }

    @Test("Each command finds a fault in snapshots without their log", arguments: ["verify", "print", "stat"])
    func snapshotsAlone(verb: String) async throws {
        let files = try await disk().files.filter { !$0.key.hasSuffix(".log") }
        let (code, _, err) = run(SimulatedDisk(files), "log", verb, "till")
        expectEqual(code, 1)
        expectEqual(
            err, ["till: " + (verb == "stat" ? "the log is damaged: see moonlight log verify" : Self.snapshotsAlone)])
    }

    private static let snapshotsAlone = "it has snapshots, but no segment of their log"

    @Test("`stat` points to `verify` if only a snapshot is damaged")
    func damagedSnapshot() async throws {
        var files = try await disk().files
        files["till/" + LogKind.snapshot(4)]?[20] ^= 1
        let (code, out, err) = run(SimulatedDisk(files), "log", "stat", "till")
        expectEqual(code, 1)
        expectEqual(out.count, 4)
        expectEqual(err, ["till: the log is damaged: see moonlight log verify"])
    }

    @Test("Options for fleets are refused for the log of a store")
    func fleetsOnly() async throws {
        let disk = try await disk()
        expectEqual(run(disk, "log", "print", "till", "--member", "7").code, 1)
    }

    @Test("Control characters in ids, keys and values are escaped, and JSON stays valid", arguments: [[], ["--json"]])
    func steering(_ options: [String]) async throws {
        let disk = SimulatedDisk()
        let id = "a\u{1B}[2J\u{9B}\u{202E}\n"
        let fleet = Fleet<String, [String], String>(
            reducer: Reducer<[String], String, String, Void>(
                transform: { _, event, _ in .just(event) },
                apply: { (state: inout [String], effect: String) in state.append(effect) }),
            environment: { _ in },
            durable: DurableFleet(
                storage: FleetFolder("fleet", files: disk), schema: Schema(String.self), state: Schema([String].self)),
            initialState: { _ in [] })
        try await fleet.send(id, to: id, key: id)
        try await fleet.remove(id)
        await fleet.drain(within: nil)
        let (out, err) = (Recorder<String>(), Recorder<String>())
        let tool = LogTool(files: disk, print: { out.append($0) }, complain: { err.append($0) })
        expectEqual(tool.run(["log", "print", "fleet"] + options), 0)
        expect(!out.all.isEmpty && err.all.isEmpty)
        for line in out.all {
            expect(line.unicodeScalars.allSatisfy { $0 == "\t" || !$0.isSteering }, "\(line.debugDescription)")
            if options == ["--json"] { expect(isJSON(Array(line.utf8)), "\(line)") }
        }
        var files = disk.files
        files["fleet/" + LogKind.fleet.segment(0)]?[SegmentHeader.size + LogFrame.headerSize + 30] ^= 1
        let damaged = LogTool(files: SimulatedDisk(files), print: { out.append($0) }, complain: { err.append($0) })
        expectEqual(damaged.run(["log", "verify", "fleet"]), 1)
        expect(err.all.contains { $0.contains("a\\u{1B}[2J") }, "\(err.all)")
        for line in err.all { expect(!line.unicodeScalars.contains { $0.isSteering }, "\(line.debugDescription)") }
    }

    @Test(
        "Invalid arguments print the usage",
        arguments: [
            [], ["log"], ["log", "verify"], ["log", "mend", "f"], ["log", "verify", "f", "--json"],
            ["log", "print", "f", "--from"],
            ["log", "print", "f", "--from", "x"], ["log", "print", "--json"], ["log", "print", "f", "--from", "0"],
            ["log", "salvage", "f"],
            ["log", "salvage", "f", "g", "h"], ["log", "print", "f", "--member"],
        ])
    func usage(_ arguments: [String]) {
        let err = Recorder<String>()
        let code = LogTool(files: SimulatedDisk(), print: { _ in Issue.record("output") }, complain: { err.append($0) }).run(
            arguments)
        expectEqual(code, 2)
        expectEqual(err.all.joined(separator: "\n"), LogTool.usage)
    }
}

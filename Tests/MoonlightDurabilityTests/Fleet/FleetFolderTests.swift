import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("The folder of a fleet")
struct FleetFolderTests {
    private static func record(_ sequence: UInt64, _ payload: [UInt8] = [1, 2, 3]) -> LogRecord {
        LogRecord(sequence: sequence, schema: 1, payload: payload)
    }

    private static func snapshot(_ sequence: UInt64) -> LogSnapshot {
        LogSnapshot(
            sequence: sequence, versions: .init(effects: 1, state: 2, reducer: 3),
            payload: [9, UInt8(truncatingIfNeeded: sequence)])
    }

    @Test("Records are read from the newest snapshot on, also when the folder is opened again")
    func reading() throws {
        let disk = SimulatedDisk()
        var folder = FleetLog("fleet", files: disk)
        try expect(folder.open().isEmpty)
        try expectEqual(folder.read("a"), MemberLog())
        _ = try folder.append([.init(id: "a", expected: 0, records: [Self.record(1), Self.record(2)])], synced: true)
        _ = try folder.append([.init(id: "b", expected: 0, records: [Self.record(1)])], synced: true)
        _ = try folder.append(
            [.init(id: "a", expected: 2, records: [Self.record(3), Self.record(4)], snapshot: Self.snapshot(3))], synced: true)
        _ = try folder.append([.init(id: "a", expected: 4, records: [Self.record(5, [])])], synced: true)
        let log = MemberLog(snapshot: Self.snapshot(3), records: [Self.record(4), Self.record(5, [])])
        try expectEqual(folder.read("a"), log)
        try expectEqual(folder.read("a").last, 5)
        let identity = folder.identity
        folder.close()
        #expect(throws: DurabilityError.closed) { try folder.read("a") }
        #expect(throws: DurabilityError.closed) { try folder.append([.init(id: "c", expected: 0, records: [])], synced: true) }
        #expect(throws: DurabilityError.closed) { try folder.sync() }
        folder = FleetLog("fleet/", files: disk)
        _ = try folder.open()
        expectEqual(folder.identity, identity)
        expect(folder.tornEnd == nil)
        try expectEqual(folder.read("a"), log)
        try expectEqual(folder.read("b").records, [Self.record(1)])
        expectEqual(folder.count(), 2)
    }

    @Test("An append that does not follow the last record is a conflict, and the other appends of its batch are made")
    func conflict() throws {
        let folder = FleetLog("fleet", files: SimulatedDisk())
        _ = try folder.open()
        _ = try folder.append([.init(id: "a", expected: 0, records: [Self.record(1)])], synced: true)
        let answers = try folder.append(
            [
                .init(id: "a", expected: 0, records: [Self.record(1)]), .init(id: "b", expected: 0, records: [Self.record(1)]),
                .init(id: "c", expected: 4, records: [Self.record(5)]),
                .init(id: "d", expected: 0, records: [Self.record(1)], snapshot: Self.snapshot(2)),
            ], synced: true)
        expectEqual(answers[0], .conflict(id: "a", expected: 0))
        expect(answers[1] == nil)
        expectEqual(answers[2], .conflict(id: "c", expected: 4))
        expectEqual(answers[3], .unwritable("the snapshot of d is of record 2, but the log ends with 1"))
        expectEqual(folder.count(), 2)
        try expectEqual(folder.read("d"), MemberLog())
    }

    @Test("Opening the folder returns the due time of each member's last append")
    func dues() throws {
        let disk = SimulatedDisk()
        var folder = FleetLog("fleet", files: disk)
        _ = try folder.open()
        _ = try folder.append(
            [
                .init(id: "a", expected: 0, records: [Self.record(1)], due: 5),
                .init(id: "b", expected: 0, records: [Self.record(1)], due: 6),
                .init(id: "c", expected: 0, records: [Self.record(1)]),
            ], synced: true)
        _ = try folder.append(
            [
                .init(id: "a", expected: 1, records: [Self.record(2)]),
                .init(id: "c", expected: 1, records: [], snapshot: Self.snapshot(1), due: 0),
            ], synced: true)
        folder.close()
        folder = FleetLog("fleet", files: disk)
        try expectEqual(Set(folder.open().map { "\($0.id) \($0.due)" }), ["b 6", "c 0"])
    }

    @Test("Frames that are no longer needed are removed, and all others are kept")
    func cleaning() throws {
        let disk = SimulatedDisk()
        var folder = FleetLog("fleet", files: disk, segmentSize: 2000)
        _ = try folder.open()
        var lasts: [String: UInt64] = [:]
        let rounds = Budget.size(4000, quick: 1000)
        for round in 0..<rounds {
            // Members after the tenth are written once.
            let id = round % 50 == 0 ? "still \(round)" : "\(round % 10)"
            let last = lasts[id, default: 0]
            let append = MemberAppend(
                id: id, expected: last, records: [Self.record(last + 1, [UInt8](repeating: 7, count: 40))],
                snapshot: last % 5 == 4 ? Self.snapshot(last + 1) : nil, due: id == "0" ? 8 : nil)
            try expectEqual(folder.append([append], synced: round % 3 == 0), [nil])
            lasts[id] = last + 1
        }
        expect(folder.cleaningFailure == nil)
        let size = disk.files.filter { $0.key.hasSuffix(".fleet") }.values.reduce(0) { $0 + $1.count }
        // Members that are not written again have 140 bytes each, and the ten less than 800 each.
        expect(size < 3 * (rounds / 50 * 140 + 10 * 800) + 4000)
        expect(disk.files["fleet/" + LogKind.fleet.segment(0)] == nil)
        for isAnew in [false, true] {
            if isAnew {
                folder.close()
                folder = FleetLog("fleet", files: disk, segmentSize: 2000)
                try expectEqual(folder.open().map { "\($0.id) \($0.due)" }, ["0 8"])
            }
            expectEqual(folder.count(), lasts.count)
            for (id, last) in lasts { try expectEqual(folder.read(id).last, last) }
            var ids: Set<String> = []
            var cursor: String?
            repeat {
                let page = try folder.ids(after: cursor, limit: 7)
                expect(page.ids.count <= 7)
                ids.formUnion(page.ids)
                cursor = page.next
            } while cursor != nil
            expectEqual(ids, Set(lasts.keys))
        }
    }

    /// Returns whether a file of a disk contains these bytes.
    private func has(_ disk: SimulatedDisk, _ bytes: [UInt8]) -> Bool {
        disk.files.values.contains { file in
            file.indices.contains { file[$0...].starts(with: bytes) }
        }
    }

    @Test("A member that is written while the ids are read is in the list, once")
    func idsDuringAppend() throws {
        let disk = SimulatedDisk()
        let folder = FleetLog("fleet", files: disk, segmentSize: 1000)
        _ = try folder.open()
        for id in ["a", "b", "c"] { _ = try folder.append([.init(id: id, expected: 0, records: [Self.record(1)])], synced: true) }
        disk.beforeRead = {
            disk.beforeRead = nil
            _ = try? folder.append([.init(id: "b", expected: 1, records: [Self.record(2)])], synced: true)
        }
        try expectEqual(folder.ids(after: nil, limit: 9).ids, ["a", "c", "b"])
        expect(disk.beforeRead == nil)
        try expectEqual(folder.ids(after: nil, limit: 9).ids, ["a", "c", "b"])
    }

    @Test("A removed member has no log, no due time and no place in the list, and its bytes are gone after a cleaning")
    func removal() throws {
        let disk = SimulatedDisk()
        var folder = FleetLog("fleet", files: disk, segmentSize: 1000)
        _ = try folder.open()
        let secret: [UInt8] = Array("a secret of this member".utf8)
        _ = try folder.append([.init(id: "kept", expected: 0, records: [Self.record(1)])], synced: true)
        for id in ["a", "b"] {
            _ = try folder.append([.init(id: id, expected: 0, records: [Self.record(1, secret)], due: 5)], synced: true)
        }
        try folder.remove("a")
        try folder.remove("never there")
        for isAnew in [false, true] {
            if isAnew {
                folder.close()
                folder = FleetLog("fleet", files: disk, segmentSize: 1000)
                try expectEqual(folder.open().map { "\($0.id) \($0.due)" }, ["b 5"])
            }
            try expectEqual(folder.read("a"), MemberLog())
            try expectEqual(folder.ids(after: nil, limit: 9).ids, ["kept", "b"])
            expectEqual(folder.count(), 2)
        }
        try expectEqual(
            folder.append([.init(id: "a", expected: 1, records: [Self.record(2)])], synced: true),
            [.conflict(id: "a", expected: 1)])
        try expectEqual(folder.append([.init(id: "a", expected: 0, records: [Self.record(1)])], synced: true), [nil])
        try folder.remove("b")
        expect(has(disk, secret))
        var last: UInt64 = 0
        while has(disk, secret), last < 1000 {
            last += 1
            _ = try folder.append(
                [.init(id: "busy", expected: last - 1, records: [Self.record(last)], snapshot: Self.snapshot(last))],
                synced: true)
        }
        expect(last < 1000)
        try expectEqual(folder.read("a").records, [Self.record(1)])
        try expectEqual(folder.read("kept").records, [Self.record(1)])
    }

    @Test("After a crash at any call, a member is removed completely or not at all, and stays removed")
    func removalCrashes() throws {
        let step = Budget.size(1, quick: 4)
        var crash = 1 - step + Budget.seed % step
        while true {
            crash += step
            let disk = SimulatedDisk()
            disk.crash = crash
            // The lives of a member that may be found, as the number of the first record of a life, and the last record.
            var possible: [String: Set<[UInt64]>] = [:]
            let folder = FleetLog("fleet", files: disk, segmentSize: 400)
            var known: [String: [UInt64]] = [:]
            for round in 0..<((try? folder.open()) == nil ? 0 : 60) {
                let id = round % 7 == 0 ? "still \(round)" : "\(round % 3)"
                let now = known[id] ?? [0, 0]
                let isRemoval = round % 5 == 4
                let next = isRemoval ? [now[0] + 1, 0] : [now[0], now[1] + 1]
                possible[id] = [now, next]
                if isRemoval {
                    do { try folder.remove(id) } catch { break }
                } else {
                    let record = Self.record(now[1] + 1, [UInt8(now[0])])
                    guard (try? folder.append([.init(id: id, expected: now[1], records: [record])], synced: true)) == [nil]
                    else { break }
                }
                known[id] = next
                possible[id] = [next]
            }
            guard disk.isCrashed else { break }
            var dice = Dice(seed: Budget.seed + crash)
            for _ in 0..<4 {
                let again = FleetLog("fleet", files: SimulatedDisk(disk.contents.image(&dice)), segmentSize: 400)
                _ = try again.open()
                for (id, lives) in possible {
                    let log = try again.read(id)
                    let isFound = lives.contains { life in
                        log.last == life[1] && log.records.allSatisfy { $0.payload == [UInt8(life[0])] }
                    }
                    expect(isFound, "MOONLIGHT_SEED=\(Budget.seed), crash \(crash), \(id), \(log)")
                }
            }
        }
        expect(crash > 150)
    }

    @Test("After a crash at any call, even while frames are moved, a member's log has everything acknowledged")
    func crashes() throws {
        // In the quick tier, every eighth call, and other ones in each run.
        let step = Budget.size(1, quick: 8)
        var crash = 1 - step + Budget.seed % step
        while true {
            crash += step
            let disk = SimulatedDisk()
            disk.crash = crash
            var (acknowledged, attempted) = ([String: UInt64](), [String: UInt64]())
            let folder = FleetLog("fleet", files: disk, segmentSize: 400)
            for round in 0..<((try? folder.open()) == nil ? 0 : 70) {
                let id = round % 7 == 0 ? "still \(round)" : "\(round % 3)"
                let last = acknowledged[id, default: 0]
                attempted[id] = last + 1
                let append = MemberAppend(
                    id: id, expected: last, records: [Self.record(last + 1)],
                    snapshot: last % 3 == 2 ? Self.snapshot(last + 1) : nil)
                guard (try? folder.append([append], synced: true)) == [nil] else { break }
                acknowledged[id] = last + 1
            }
            guard disk.isCrashed else { break }
            var dice = Dice(seed: Budget.seed + crash)
            for _ in 0..<8 {
                let again = FleetLog("fleet", files: SimulatedDisk(disk.contents.image(&dice)), segmentSize: 400)
                _ = try again.open()
                for (id, last) in attempted {
                    let found = try again.read(id).last
                    expect(
                        found == last || found == acknowledged[id, default: 0],
                        "MOONLIGHT_SEED=\(Budget.seed), crash \(crash), \(id)")
                }
            }
        }
        // The program has ended, and has removed segments.
        expect(crash > 200)
    }

    @Test("A flipped bit in durable bytes is reported, or belongs to no log", arguments: [150, 1 << 20])
    func damage(segmentSize: Int) throws {
        let disk = SimulatedDisk()
        let folder = FleetLog("fleet", files: disk, segmentSize: segmentSize)
        _ = try folder.open()
        for number in 1...4 as ClosedRange<UInt64> {
            _ = try folder.append([.init(id: "a", expected: number - 1, records: [Self.record(number)])], synced: true)
        }
        let expected = try folder.read("a")
        folder.close()
        for (name, bytes) in disk.files where name.hasSuffix(".fleet") {
            for place in bytes.indices {
                var files = disk.files
                files[name]?[place] ^= 1 << (place % 8)
                let damaged = FleetLog("fleet", files: SimulatedDisk(files), segmentSize: segmentSize)
                do {
                    _ = try damaged.open()
                    let log = try damaged.read("a")
                    // Nothing proves that the last frame was synced, and a change of the time in a header is not detected.
                    expect(log == expected || log.records.count == 3 && damaged.tornEnd != nil, "\(name) \(place)")
                } catch DurabilityError.damaged {} catch DurabilityError.missing {}
            }
        }
    }

    @Test("A log resumes after a failure that follows its last sync, with everything acknowledged", arguments: 1...6, [0, 1])
    func mending(call: Int, after: Int) throws {
        let disk = SimulatedDisk()
        var folder = FleetLog("fleet", files: disk)
        _ = try folder.open()
        _ = try folder.append([.init(id: "a", expected: 0, records: [Self.record(1)])], synced: true)
        _ = try folder.append([.init(id: "b", expected: 0, records: [Self.record(1)])], synced: false)
        // The append fails on writing or on syncing, and so do some of the attempts to continue.
        for fault in 1...call { disk.faults[disk.calls + after + fault] = .fails(.full) }
        var failures = 0
        while true {
            do {
                _ = try folder.append([.init(id: "c", expected: 0, records: [Self.record(1)])], synced: true)
                break
            } catch { failures += 1 }
        }
        expectEqual(failures, call)
        try expectEqual(folder.read("b").last, 1)
        _ = try folder.append([.init(id: "a", expected: 1, records: [Self.record(2)])], synced: true)
        // After a loss of power, only synced bytes remain.
        folder = FleetLog("fleet", files: SimulatedDisk(durableFiles(disk)))
        _ = try folder.open()
        for (id, last) in ["a": 2, "b": 1, "c": 1] as [String: UInt64] { try expectEqual(folder.read(id).last, last) }
    }

    @Test("Records that are read after a failed sync are durable from then on")
    func rewriting() throws {
        let disk = SimulatedDisk()
        let folder = FleetLog("fleet", files: disk)
        _ = try folder.open()
        _ = try folder.append([.init(id: "a", expected: 0, records: [Self.record(1)])], synced: true)
        disk.faults[disk.calls + 2] = .fails(.device)
        #expect(throws: DurabilityError.self) {
            try folder.append([.init(id: "a", expected: 1, records: [Self.record(2)])], synced: true)
        }
        // The process ends, and the system still has its unsynced bytes.
        disk.unlockAll()
        let next = FleetLog("fleet", files: disk)
        _ = try next.open()
        try expectEqual(next.read("a").last, 2)
        let last = FleetLog("fleet", files: SimulatedDisk(durableFiles(disk)))
        _ = try last.open()
        try expectEqual(last.read("a").last, 2)
    }

    /// Returns the files of a disk with their synced bytes only.
    private func durableFiles(_ disk: SimulatedDisk) -> [String: [UInt8]] {
        let contents = disk.contents
        return contents.names.mapValues { contents.files[$0]?.durable ?? [] }
    }
}

@Suite("The index of a fleet's folder")
struct FleetIndexTests {
    @Test("An index agrees with a dictionary, and takes at most 64 bytes for each of many members")
    func dictionary() {
        var (dice, index, expected) = (Dice(seed: Budget.seed), FleetIndex(), [String: UInt64]())
        // One of five steps removes a member.
        let members = Budget.size(20_000, quick: 2_000)
        for round in 0..<UInt64(3 * members) {
            let id = "\(dice.roll(members))"
            let key = MemberHash(id)
            let isRemoval = dice.roll(5) == 0
            expected[id] = isRemoval ? nil : round
            index[key] = isRemoval ? nil : FleetIndex.Slot(key, newest: round, base: round / 2, last: round)
            expectEqual(index.count, expected.count)
            if round.isMultiple(of: 1000), round > 0 { expect(index.size <= 64 * index.count, "\(round)") }
        }
        expectEqual(index.count, expected.count)
        for number in 0..<members + 1_000 {
            let slot = index[MemberHash("\(number)")]
            expectEqual(slot?.newest, expected["\(number)"])
            expectEqual(slot?.base, expected["\(number)"].map { $0 / 2 })
            expectEqual(slot.map { UInt64($0.last) }, expected["\(number)"])
        }
        var count = 0
        // swift-format-ignore: ReplaceForEachWithForLoop
        index.forEach { _ in count += 1 }
        expectEqual(count, expected.count)
    }
}

extension FleetLog {
    convenience init(_ folder: String, files: any FileSystem, segmentSize: Int = 64 << 20) {
        self.init(LogFolder(folder, .fleet, files), segmentSize: segmentSize)
    }

    var tornEnd: TornEnd? { view.withLock { $0.tornEnd } }
    var damaged: [String] { view.withLock { $0.damage }.sortedMembers.map(\.id) }
    var unknownDamage: DurabilityError? { view.withLock { $0.damage.unknown?.error } }
    var cleaningFailure: DurabilityError? { view.withLock { $0.cleaningFailure } }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("Fleets whose folder is damaged")
struct FleetDamageTests {
    private static let name = "fleet/" + LogKind.fleet.segment(0)

    private func run(_ disk: SimulatedDisk, _ arguments: String...) -> (code: Int32, out: [String], err: [String]) {
        let (out, err) = (Recorder<String>(), Recorder<String>())
        let code = LogTool(files: disk, print: { out.append($0) }, complain: { err.append($0) }).run(arguments)
        return (code, out.all, err.all)
    }

    /// The files of a fleet of tills, each of which was sent 1, 2 and 3, and the frames of the only segment with their members.
    private func files(_ members: [Int] = [1, 2, 3]) async throws -> (
        files: [String: [UInt8]], frames: [(id: String, offset: Int)]
    ) {
        let disk = SimulatedDisk()
        let fleet = tills(on: disk, snapshotEvery: .max)
        for amount in 1...3 { for id in members { try await fleet.send(.add(amount), to: id) } }
        await fleet.drain(within: nil)
        let file = try disk.open(Self.name, .reading)
        var reader = try FrameReader(LogSegment(file, name: Self.name, first: 0))
        var frames: [(id: String, offset: Int)] = []
        while case .frame(let header, let id) = try reader.next() {
            frames.append((id, Int(reader.position) - header.size + SegmentHeader.size))
        }
        expectEqual(frames.map(\.id), (0..<3).flatMap { _ in members.map(String.init) })
        return (disk.files, frames)
    }

    @Test("A fleet opens with a damaged member, which answers with a typed error, and the others continue")
    func member() async throws {
        var (files, frames) = try await files()
        // The second record of member 2: its first byte after the id.
        files[Self.name]?[frames[4].offset + LogFrame.headerSize + 1] ^= 1
        let disk = SimulatedDisk(files)
        let storage = FleetFolder("fleet", files: disk)
        let fleet = tills(in: storage)
        try await fleet.opened()
        for _ in 0..<2 {
            do {
                try await fleet.send(.add(4), to: 2)
                Issue.record("it was taken")
            } catch {
                guard case .unreadable("2", .damaged(_, frames[4].offset, "its checksum is wrong")) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
        for id in [1, 3, 4] { try await fleet.send(.add(4), to: id) }
        try expectEqual(await fleet.state(of: 3).total, 10)
        try expectEqual(Set(await fleet.ids().ids), [1, 2, 3, 4])
        expectEqual(storage.damaged.map(\.id), ["2"])
        expect(storage.unknownDamage == nil && storage.cleaningFailure != nil)
        await fleet.drain(within: nil)
        // The result does not depend on later frames.
        let again = tills(on: disk)
        await #expect(throws: FleetError.self) { try await again.state(of: 2) }
        try expectEqual(await again.state(of: 4).total, 4)
        await again.drain(within: nil)
    }

    @Test("A damaged member with a snapshot after the damage can be read")
    func snapshot() throws {
        let disk = SimulatedDisk()
        let folder = FleetLog("fleet", files: disk)
        _ = try folder.open()
        func record(_ sequence: UInt64) -> LogRecord { LogRecord(sequence: sequence, schema: 1, payload: [1, 2, 3]) }
        _ = try folder.append([.init(id: "a", expected: 0, records: [record(1)])], synced: true)
        let snapshot = LogSnapshot(sequence: 2, versions: .init(effects: 1, state: 1, reducer: 1), payload: [7])
        _ = try folder.append([.init(id: "a", expected: 1, records: [record(2)], snapshot: snapshot)], synced: true)
        let expected = try folder.read("a")
        folder.close()
        var files = disk.files
        files[Self.name]?[SegmentHeader.size + 60] ^= 1
        let again = FleetLog("fleet", files: SimulatedDisk(files))
        _ = try again.open()
        try expectEqual(again.read("a"), expected)
        expect(again.damaged.isEmpty)
    }

    @Test(
        "After any flipped byte, no member loses records unnoticed, and hardly any other member than the damaged one is refused"
    )
    func everyByte() async throws {
        let (files, frames) = try await files()
        let bytes = try #require(files[Self.name])
        var others = 0
        for place in SegmentHeader.size..<frames[8].offset {
            var damaged = files
            damaged[Self.name]?[place] ^= 0x55
            let folder = FleetLog("fleet", files: SimulatedDisk(damaged))
            _ = try folder.open()
            let owner = try #require(frames.last { $0.offset <= place }).id
            for id in ["1", "2", "3"] {
                do throws(any Error) {
                    let found = try folder.read(id)
                    expect(id != owner && found.last == 3, "\(place): \(id) has \(found.last)")
                } catch DurabilityError.damaged { if id != owner { others += 1 } }
            }
            let code = run(SimulatedDisk(damaged), "log", "verify", "fleet").code
            expectEqual(code, 1, "\(place)")
        }
        // Only the first frame of a member has no earlier frame that identifies it. Later frames of the other members follow.
        expectEqual(others, 0)
        expect(bytes.count > 500)
    }

    @Test("If the members of damaged frames are unknown, those without a later frame are refused, and no new ones are created")
    func unknown() async throws {
        var (files, frames) = try await files([1, 2])
        // Members of the second round are affected, and none of the last: both members have later frames, which show that earlier
        // ones are missing.
        for place in frames[2].offset..<frames[4].offset { files[Self.name]?[place] = 0 }
        let folder = FleetLog("fleet", files: SimulatedDisk(files))
        _ = try folder.open()
        for id in ["1", "2", "new"] { #expect(throws: DurabilityError.self) { try folder.read(id) } }
        expect(folder.unknownDamage != nil)
        expectEqual(folder.damaged, ["1", "2"])
        let verified = run(SimulatedDisk(files), "log", "verify", "fleet")
        expectEqual(verified.code, 1)
        expect(verified.err.contains { $0.contains("the members of the damaged frames are unknown") })
    }

    @Test("The program `moonlight log` prints, counts and verifies a fleet, also while it runs")
    func whole() async throws {
        let disk = SimulatedDisk(try await files().files)
        let fleet = tills(on: disk)
        try await fleet.opened()
        let verified = run(disk, "log", "verify", "fleet")
        expect(verified.code == 0 && verified.err == [])
        expectEqual(verified.out, ["3 members, 9 records, 0 snapshots, 0 faults"])
        let stat = run(disk, "log", "stat", "fleet")
        expectEqual(stat.code, 0)
        expectEqual(
            stat.out.dropFirst(),
            ["members    3, 0 due at some time", "frames     9, with 9 records, 0 snapshots and 0 removals", "schemas    1"])
        let text = run(disk, "log", "print", "fleet", "--member", "2", "--from", "2")
        expectEqual(text.out, ["\"2\"\t2\teffect {\"added\":{\"_0\":2}}", "\"2\"\t3\teffect {\"added\":{\"_0\":3}}"])
        let json = run(disk, "log", "print", "fleet", "--json", "--to", "1")
        expectEqual(
            json.out[2], "{\"member\":\"3\",\"sequence\":1,\"schema\":1,\"entries\":[{\"effect\":{\"added\":{\"_0\":1}}}]}")
        expectEqual(json.out.count, 3)
        expectEqual(run(disk, "log", "salvage", "fleet", "new").code, 1)
        expectEqual(run(disk, "log", "salvage", "fleet", "new", "--to", "2").code, 1)
        await fleet.drain(within: nil)
    }

    @Test("A damaged member can be removed and begins anew, and `moonlight log` prints its removal")
    func removal() async throws {
        var (files, frames) = try await files()
        files[Self.name]?[frames[4].offset + LogFrame.headerSize + 1] ^= 1
        let disk = SimulatedDisk(files)
        var fleet = tills(on: disk)
        try await fleet.remove(2)
        try await fleet.send(.add(8), to: 2)
        await fleet.drain(within: nil)
        fleet = tills(on: disk)
        try expectEqual(await fleet.state(of: 2).total, 8)
        try await fleet.remove(3)
        expectEqual(
            run(disk, "log", "print", "fleet", "--member", "3").out.suffix(2),
            ["\"3\"\t3\teffect {\"added\":{\"_0\":3}}", "\"3\"\tremoved"])
        expectEqual(run(disk, "log", "print", "fleet", "--json").out.last, "{\"member\":\"3\",\"removed\":true}")
        expect(run(disk, "log", "stat", "fleet").out.contains("members    2, 0 due at some time"))
        let verified = run(disk, "log", "verify", "fleet")
        // The damaged bytes remain, but belong to no member.
        expectEqual(verified.out.last, "2 members, 9 records, 0 snapshots, 1 faults")
        expectEqual(verified.err.count, 1)
        await fleet.drain(within: nil)
        expectEqual(run(disk, "log", "salvage", "fleet", "new").out, ["2 members are in new, 0 of them up to their damage"])
        let salvaged = tills(in: FleetFolder("new", files: disk))
        try expectEqual(await salvaged.state(of: 3).total, 0)
        await salvaged.drain(within: nil)
    }

    @Test("`salvage` copies readable logs into a new intact folder, and does not change the old one")
    func salvage() async throws {
        var (files, frames) = try await files()
        files[Self.name]?[frames[7].offset + LogFrame.headerSize + 1] ^= 1
        files[Self.name]?[frames[0].offset + LogFrame.headerSize + 1] ^= 1
        let disk = SimulatedDisk(files)
        let salvaged = run(disk, "log", "salvage", "fleet", "new")
        expectEqual(salvaged.code, 1)
        expectEqual(salvaged.out, ["2 members are in new, 1 of them up to their damage"])
        expect(salvaged.err.contains { $0 == "fleet: the records of 2 after 2 are lost" })
        expect(salvaged.err.contains { $0.hasPrefix("fleet: nothing of 1 can be read") })
        expectEqual(disk.files[Self.name], files[Self.name])
        let verified = run(disk, "log", "verify", "new")
        expect(verified.code == 0 && verified.err == [])
        let fleet = tills(in: FleetFolder("new", files: disk))
        for (id, total) in [2: 3, 3: 6, 1: 0] {
            try expectEqual(await fleet.state(of: id).total, total)
            try await fleet.send(.add(1), to: id)
        }
        await fleet.drain(within: nil)
        expectEqual(run(disk, "log", "salvage", "fleet", "new").err.last, "fleet: new is not empty")
    }

    @Test("`salvage` reads a segment with a damaged header, and skips a missing one")
    func segments() throws {
        let disk = SimulatedDisk()
        let folder = FleetLog("fleet", files: disk, segmentSize: 150)
        _ = try folder.open()
        for number in 1...9 as ClosedRange<UInt64> {
            let record = LogRecord(sequence: number, schema: 1, payload: [1, 2, 3])
            _ = try folder.append(
                [.init(id: "\(number)", expected: 0, records: [LogRecord(sequence: 1, schema: 1, payload: record.payload)])],
                synced: true)
        }
        folder.close()
        let names = disk.files.keys.filter { $0.hasSuffix(".fleet") }.sorted()
        expect(names.count > 2)
        for isMissing in [false, true] {
            var files = disk.files
            files[names[0]]?[20] ^= 1
            if isMissing { files[names[1]] = nil }
            let damaged = SimulatedDisk(files)
            #expect(throws: DurabilityError.self) { _ = try FleetLog("fleet", files: damaged).open() }
            damaged.unlockAll()
            expectEqual(run(damaged, "log", "verify", "fleet").code, 1)
            expectEqual(run(damaged, "log", "salvage", "fleet", "new").code, 1)
            let new = FleetLog("new", files: damaged)
            _ = try new.open()
            let found = try (1...9).filter { try new.read("\($0)").last == 1 }
            expect(isMissing ? 5..<9 ~= found.count : found.count == 9, "\(found)")
        }
    }
}

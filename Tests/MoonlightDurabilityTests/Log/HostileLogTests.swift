import MoonlightTestSupport
import Testing

@_spi(Storage) @testable import MoonlightDurability

/// Logs that no writer has made, with intact checksums.
@Suite("Hostile logs")
struct HostileLogTests {
    /// The log of a store with two segments, a snapshot and an interrupted work, and one of a fleet with two members.
    private func files() async throws -> [String: [UInt8]] {
        let (disk, bank) = (SimulatedDisk(), Bank())
        let store = try await open(disk, bank)
        expectEqual(word(await store.send(.add(1), key: "k")), "done")
        try await store.durability?.snapshot()
        expectEqual(word(await store.send(.addBoth(2, 3))), "done")
        store.post(.pay("ann"))
        await bank.attempts.count(1)
        await store.close()
        let fleet = FleetLog("fleet", files: disk)
        _ = try fleet.open()
        for (id, number) in [("a", 1), ("b", 1), ("a", 2), ("a", 3)] as [(String, UInt64)] {
            let record = LogRecord(sequence: number, schema: 1, payload: [])
            let snapshot = LogSnapshot(sequence: 3, versions: .init(effects: 1, state: 1, reducer: 1), payload: [])
            let append = MemberAppend(
                id: id, expected: number - 1, records: [record], snapshot: number == 3 ? snapshot : nil, due: 5)
            try expectEqual(fleet.append([append], synced: true), [nil])
        }
        fleet.close()
        return disk.files
    }

    /// Reads a disk in each way. Nothing may trap; errors are expected.
    private func readAll(_ files: [String: [UInt8]]) async {
        for folder in ["till", "fleet"] {
            for command in [["verify"], ["print"], ["stat"], ["salvage"]] {
                let arguments = ["log", command[0], folder] + (command[0] == "salvage" ? ["new"] : [])
                _ = LogTool(files: SimulatedDisk(files), print: { _ in }, complain: { _ in }).run(arguments)
            }
        }
        await (try? open(SimulatedDisk(files)))?.close()
        let fleet = FleetLog("fleet", files: SimulatedDisk(files))
        guard (try? fleet.open()) != nil else { return }
        for id in ["a", "b"] { _ = try? fleet.read(id) }
        _ = try? fleet.ids(after: nil, limit: 10)
        _ = try? fleet.append([.init(id: "a", expected: 3, records: [])], synced: true)
        fleet.close()
    }

    @Test("A frame with extreme numbers and intact checksums does not trap")
    func frames() async throws {
        let files = try await files()
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where !name.hasSuffix("lock") {
            var offset = SegmentHeader.size
            while bytes.count - offset >= LogFrame.headerSize {
                let header = bytes.withUnsafeBytes { LogFrame.Header($0, at: offset) }
                let body = LogFrame.headerSize + header.idCount
                // Those of the header, the sequence of a snapshot, and that of the first record.
                let fields = [8, 16, 24, 32, 40, body + 1, body + 5]
                for field in fields where field + 8 <= header.size {
                    for value in [0, 1, 1 << 62, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max] {
                        var bytes = bytes
                        bytes.withUnsafeMutableBytes { bytes in
                            let frame = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + header.size])
                            frame.storeBytes(of: value.littleEndian, toByteOffset: field, as: UInt64.self)
                            let position = field == 8 ? value : header.position
                            let checksum = LogFrame.name(frame, idCount: header.idCount, position: position)
                            frame.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
                        }
                        await readAll(files.merging([name: bytes]) { $1 })
                    }
                }
                offset += header.size
            }
        }
    }

    @Test(
        "A segment or a snapshot with an extreme number as its name does not trap",
        arguments: [UInt64(Int64.max), .max - 1, .max])
    func names(_ number: UInt64) async throws {
        let files = try await files()
        for (name, bytes) in files where !name.hasSuffix("lock") {
            let ending = name.drop { $0 != "." }
            let folder = name.prefix { $0 != "/" }
            let digits = String(number)
            let new = "\(folder)/\(String(repeating: "0", count: 20 - digits.count))\(digits)\(ending)"
            var all = files
            all[new] = bytes
            await readAll(all)
            all[name] = nil
            await readAll(all)
        }
    }
}

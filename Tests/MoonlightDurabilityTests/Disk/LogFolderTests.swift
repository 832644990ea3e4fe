import Foundation
import MoonlightTestSupport
import Streams
import Testing

@_spi(Storage) @testable import MoonlightDurability

@Suite("The folder of a log")
struct LogFolderTests {
    @Test("Opening a log removes its own unfinished files, and no others")
    func tidy() async throws {
        let own = ["00000000000000000007.log.new", "00000000000000000007.snapshot.new"]
        let others = ["notes.new", ".new", "7.log.new", "00000000000000000007.new"]
        let files = (own + others).map { ("till/\($0)", [1] as [UInt8]) }
        let disk = SimulatedDisk(Dictionary(uniqueKeysWithValues: files))
        await (try open(disk)).close()
        expectEqual(Set(disk.files.keys), Set(others.map { "till/" + $0 } + ["till/" + LogKind.store.segment(0)]))
    }

    @Test("A folder in the place of a file is an error of the file system", arguments: [".log", ".snapshot"])
    func folderAsFile(ending: String) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/log-\(UInt64.random(in: 0...UInt64.max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let durable = DurableTill(storage: FolderStorage(path), schema: Schema(Till.Effect.self), state: Schema(Till.self))
        let store = try await TillStore(reducer: Till.reducer, initialState: Till(), environment: Bank(), durable: durable)
        await store.close()
        let folder = path + "/00000000000000000005" + ending
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let again = DurableTill(storage: FolderStorage(path), schema: Schema(Till.Effect.self), state: Schema(Till.self))
        await #expect(throws: DurabilityError.file(call: "read", path: folder, code: EISDIR)) {
            try await TillStore(reducer: Till.reducer, initialState: Till(), environment: Bank(), durable: again)
        }
    }

    @Test(
        "The names of new folders are made durable, and those of existing ones are not touched",
        arguments: [
            ("a", ["mkdir a", "sync ."]), ("/d/a", ["mkdir /d/a", "sync /d"]), ("/d", ["mkdir /d"]), ("/", ["mkdir /"]),
            ("/d/\u{301}a", ["mkdir /d/\u{301}a", "sync /d"]),
            ("/d/a/b", ["mkdir /d/a/b", "mkdir /d/a", "sync /d", "mkdir /d/a/b", "sync /d/a"]),
        ])
    func newFolders(path: String, calls: [String]) throws {
        let files = NotedFolders(["/", ".", "/d"])
        try files.makeFolders(path)
        expectEqual(files.calls.all, calls)
    }

    #if os(macOS) || os(Linux)
        @Test("A segment size below one is a mistake, whose message says what to give", arguments: [false, true])
        func segmentSize(isFleet: Bool) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isFleet] in
                _ = isFleet ? FleetFolder("f", segmentSize: .min) as Any : FolderStorage("f", segmentSize: 0)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(text.contains("segmentSize must be at least 1, but is \(isFleet ? Int.min : 0)"), "\(text)")
        }
    #endif
}

/// A file system without files.
private final class NotedFolders: FileSystem {
    let calls = Recorder<String>()
    private let folders: Lock<Set<String>>

    init(_ folders: Set<String>) { self.folders = Lock(folders) }

    func makeFolder(_ path: String) throws(DurabilityError) -> Bool {
        calls.append("mkdir \(path)")
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        return try folders.withLock { folders throws(DurabilityError) in
            if folders.contains(path) { return false }
            guard folders.contains(parent) else { throw .file(call: "make folder", path: path, code: .missing) }
            folders.insert(path)
            return true
        }
    }

    func syncFolder(_ path: String) throws(DurabilityError) { calls.append("sync \(path)") }

    func names(in folder: String) throws(DurabilityError) -> [String] { throw .closed }
    func open(_ path: String, _ access: FileAccess) throws(DurabilityError) -> any OpenFile { throw .closed }
    func rename(_ path: String, to newPath: String) throws(DurabilityError) { throw .closed }
    func remove(_ path: String) throws(DurabilityError) { throw .closed }
    func lock(_ path: String, note: String) throws(DurabilityError) -> FileLockAnswer { throw .closed }
}

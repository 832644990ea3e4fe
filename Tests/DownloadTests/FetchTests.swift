import Dispatch
import MoonlightTestSupport
import SampleLoopback
import SampleSupport
import Streams
import Testing

@testable import DownloadSample

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder for one test.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/download-tests-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func put(_ bytes: [UInt8], as name: String) throws -> String {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(file >= 0)
        expectEqual(write(file, bytes, bytes.count), bytes.count)
        close(file)
        return "\(path)/\(name)"
    }

    func content(of name: String) -> [UInt8]? {
        let file = open("\(path)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// What a fetch says until it ends.
private func fetch(_ source: Source, as name: String, into folder: Folder) async throws -> [Progress] {
    let environment = ItemEnvironment.live(folder: folder.path, step: 50, speed: nil, work: DispatchGroup())
    var values: [Progress] = []
    for try await progress in environment.fetch(source, name).values { values.append(progress) }
    return values
}

@Suite("Download: fetching")
struct FetchTests {
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test("A file is copied whole, replaces an existing one, and has progress at each step")
    func file() async throws {
        let folder = try Folder()
        let path = try folder.put(Self.bytes, as: "source")
        _ = try folder.put([1, 2, 3], as: "copy")
        let progress = try await fetch(.file(path), as: "copy", into: folder)
        expectEqual(progress.first, Progress(received: 0, total: 200_000))
        expectEqual(progress.last, Progress(received: 200_000, total: 200_000))
        expectEqual(progress.count, 3)
        expectEqual(folder.content(of: "copy"), Self.bytes)
        expectEqual(folder.names, ["copy", "source"])
    }

    @Test("A file of a server is fetched, and one that it does not have is an error with the status")
    func http() async throws {
        let server = try HTTPServer { $0.path == "/a" ? .init(200, Self.bytes) : .init(404, "no") }
        let folder = try Folder()
        let url = LoopbackURL(port: server.port, path: "/a")
        _ = try await fetch(.http(url), as: "a", into: folder)
        expectEqual(folder.content(of: "a"), Self.bytes)
        let missing = Source.http(LoopbackURL(port: server.port, path: "/b"))
        await #expect(throws: FetchError.source("404 Not OK")) { try await fetch(missing, as: "b", into: folder) }
        expectEqual(folder.names, ["a"])
    }

    @Test("A source that cannot be read is an error, and leaves no file")
    func sources() async throws {
        let folder = try Folder()
        let port = try HTTPServer { _ in .init(200, "") }.port  // Gone again.
        await #expect(throws: FetchError.source("Connection refused")) {
            try await fetch(.http(LoopbackURL(port: port, path: "/")), as: "a", into: folder)
        }
        await #expect(throws: FetchError.source("it is no file")) {
            try await fetch(.file(folder.path), as: "a", into: folder)
        }
        expectEqual(mkfifo(folder.path + "/pipe", 0o600), 0)
        await #expect(throws: FetchError.source("it is no file")) {
            try await fetch(.file(folder.path + "/pipe"), as: "a", into: folder)
        }
        await #expect(throws: FetchError.source("No such file or directory")) {
            try await fetch(.file(folder.path + "/none"), as: "a", into: folder)
        }
        expectEqual(folder.names, ["pipe"])
    }

    @Test("A folder that cannot be written to is an error with the reason")
    func unwritable() async throws {
        let folder = try Folder()
        let path = try folder.put([1], as: "source")
        let error = await #expect(throws: FetchError.self) {
            try await fetch(.file(path), as: "no/where", into: folder)
        }
        expectEqual(error, .folder("No such file or directory"))
    }

    @Test("An incomplete file has another name, and is removed if it is never completed")
    func part() throws {
        let folder = try Folder()
        _ = try folder.put([9], as: "a")
        var file: PartFile? = try PartFile("a", in: folder.path)
        try file?.append([1, 2])
        expectEqual(folder.names, ["a", "a.part"])
        expectEqual(folder.content(of: "a"), [9])
        file = nil
        expectEqual(folder.names, ["a"])
        _ = try folder.put([7, 7, 7], as: "a.part")  // Left by a program that was killed.
        file = try PartFile("a", in: folder.path)
        try file?.append([1])
        try file?.complete()
        expectEqual(folder.content(of: "a"), [1])
        expectEqual(folder.names, ["a"])
    }

    @Test("Two programs cannot write the same file at the same time")
    func taken() throws {
        let folder = try Folder()
        let file = try PartFile("a", in: folder.path)
        #expect(throws: FetchError.folder("another program is writing it")) { try PartFile("a", in: folder.path) }
        try file.complete()
        expectEqual(folder.names, ["a"])
    }

    @Test("A cancelled fetch leaves no file once its work has ended")
    func cancelling() async throws {
        let folder = try Folder()
        let path = try folder.put(Self.bytes, as: "source")
        let work = DispatchGroup()
        let environment = ItemEnvironment.live(folder: folder.path, step: 1, speed: 1024, work: work)
        var subscription: AnyCancellable?
        await withCheckedContinuation { continuation in
            subscription = environment.fetch(.file(path), "copy").first()
                .sink(receiveCompletion: { _ in continuation.resume() }, receiveValue: { _ in })
        }
        subscription?.cancel()
        await withCheckedContinuation { done in work.notify(queue: .global()) { done.resume() } }
        expectEqual(folder.names, ["source"])
    }
}

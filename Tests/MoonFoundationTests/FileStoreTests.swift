import Dispatch
import MoonlightTestSupport
import Synchronization
import Testing

@testable import MoonFoundation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("FileStore: Codable values in a folder")
struct FileStoreTests {
    struct Item: Codable, Equatable {
        var name: String
        var price: Double
    }
    struct Basket: Codable, Equatable {
        var items: [Item] = []
    }

    let folder = TemporaryFolder()
    var store: FileStore { FileStore(folder: folder.path + "/a/b") }
    private let basket = Basket(items: [Item(name: "tea", price: 2.5)])

    @Test("A value that was written can be read, and its folder is created")
    func roundTrip() throws {
        try store.write(basket, named: "basket")
        try expectEqual(store.read(Basket.self, named: "basket"), basket)
        let again: Basket = try store.read(named: "basket")
        expectEqual(again, basket)
    }

    @Test("A second write replaces the value and leaves no other file behind")
    func replacing() throws {
        try store.write(basket, named: "basket")
        try store.write(Basket(), named: "basket")
        try expectEqual(store.read(Basket.self, named: "basket"), Basket())
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: store.folder), ["basket.json"])
    }

    @Test("A number, a string and an optional can be written and read")
    func fragments() throws {
        try store.write(7, named: "number")
        try store.write("x/y", named: "text")
        try store.write(Int?.none, named: "nothing")
        try expectEqual(store.read(Int.self, named: "number"), 7)
        try expectEqual(store.read(String.self, named: "text"), "x/y")
        try expect(store.read(Int?.self, named: "nothing") == .some(nil))
    }

    @Test("A file has sorted keys, each on a separate line, and unescaped slashes")
    func readable() throws {
        try store.write(["b": "x/y", "a": "z"], named: "words")
        let text = try String(contentsOfFile: store.folder + "/words.json", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.filter { $0 != " " } }
        expectEqual(lines, ["{", "\"a\":\"z\",", "\"b\":\"x/y\"", "}"])
    }

    @Test("`names()` is sorted, and omits other files of the folder")
    func names() throws {
        let store = FileStore(folder: folder.path)
        try expectEqual(store.names(), [])
        try store.write(1, named: "b")
        try store.write(1, named: "a ü")
        try folder.place("", at: ".dat.nosync1234.json")
        try folder.place("", at: "notes.txt")
        try folder.makeFolder("c.json")
        try expectEqual(store.names(), ["a ü", "b"])
    }

    @Test("`names()` is sorted in any order of writing")
    func order() throws {
        let names = (0..<40).map { "name \($0 * 7 % 40 + 10)" }
        for name in names { try store.write(1, named: name) }
        try expectEqual(store.names(), names.sorted())
    }

    @Test("A name is listed if its last character joins the dot behind it")
    func joinedDot() throws {
        try store.write(1, named: "a\u{600}")
        try expectEqual(store.names(), ["a\u{600}"])
    }

    @Test("A value in a relative folder whose name is a tilde can be read")
    func tilde() throws {
        let path = "~/moon-\(UUID().uuidString)"
        defer {
            rmdir(path)
            rmdir("~")
        }
        let store = FileStore(folder: path)
        try store.write(1, named: "value")
        try expectEqual(store.read(named: "value"), 1)
        try store.remove("value")
    }

    @Test("A value exists from its write to its removal")
    func existence() throws {
        try expect(!store.exists("a"))
        try store.write(1, named: "a")
        try expect(store.exists("a"))
        try store.remove("a")
        try expect(!store.exists("a"))
    }

    @Test("`removeAll()` removes the values and nothing else")
    func removeAll() throws {
        let store = FileStore(folder: folder.path)
        try store.write(1, named: "a")
        try store.write(1, named: "b")
        try folder.place("", at: "notes.txt")
        try store.removeAll()
        try expectEqual(folder.contents(), ["notes.txt"])
    }

    @Test("`removeAll()` continues if another process has removed a value")
    func removingWhatIsGone() throws {
        for name in ["a", "b", "c"] { try store.write(1, named: name) }
        try store.removeAll(["a", "gone", "b", "gone", "c"])
        try expectEqual(store.names(), [])
    }

    @Test("`removeAll()` stops at a value that cannot be removed, and throws")
    func removingAFolder() throws {
        try store.write(1, named: "a")
        try store.write(1, named: "c")
        try folder.makeFolder("a/b/b.json")
        let path = store.folder + "/b.json"
        #expect(throws: FileStoreError.notWritable(name: "b", path: path, reason: "it is a folder")) {
            try store.removeAll(["a", "b", "c"])
        }
        try expectEqual(store.names(), ["c"])
    }

    @Test("`removeAll()` on several threads at once removes all values, and no call fails")
    func removingAllAtOnce() throws {
        let (store, failures) = (store, Failures())
        for _ in 0..<Budget.rounds(5, least: 2) {
            for number in 0..<100 { try store.write(number, named: "\(number)") }
            DispatchQueue.concurrentPerform(iterations: 4) { _ in failures.collect { try store.removeAll() } }
            try expectEqual(store.names(), [])
        }
        expectEqual(failures.all, [])
    }

    @Test("Concurrent calls succeed or find a value missing, and do not fail otherwise")
    func everythingAtOnce() {
        let (store, failures) = (store, Failures())
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            for number in 0..<Budget.rounds(200, least: 60) {
                let name = "\(number % 3)"
                switch thread {
                case 0: failures.collect { try store.write(number, named: name) }
                case 1: failures.collect { try store.removeAll() }
                case 2: failures.collect(but: name) { try store.remove(name) }
                case 3: failures.collect(but: name) { _ = try store.read(Int.self, named: name) }
                case 4: failures.collect { _ = try store.read(named: name, default: 0) }
                default:
                    failures.collect {
                        _ = try store.names()
                        _ = try store.exists(name)
                    }
                }
            }
        }
        expectEqual(failures.all, [])
    }

    /// The failures of all threads.
    private final class Failures: Sendable {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }

        /// Runs a closure and records its error, unless that says that the value with a name is missing.
        func collect(but name: String? = nil, _ work: () throws -> Void) {
            do {
                try work()
            } catch FileStoreError.notFound(let missing, _) where missing == name {
            } catch {
                list.withLock { $0.append("\(error)") }
            }
        }
    }

    @Test("The coders of a store can be replaced")
    func coders() throws {
        let store = FileStore(folder: folder.path) {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        } makeDecoder: {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
        struct Named: Codable, Equatable { var firstName: String }
        try store.write(Named(firstName: "Ada"), named: "x")
        try expectEqual(store.read(Named.self, named: "x"), Named(firstName: "Ada"))
        try expectEqual(
            String(decoding: Data(contentsOf: URL(filePath: folder.path + "/x.json")), as: UTF8.self), #"{"first_name":"Ada"}"#)
    }

    @Test("With concurrent writers and readers, a value that is read is always one that was written, complete")
    func concurrency() async throws {
        let store = store
        let (count, rounds) = (Budget.size(20_000, quick: 5_000), Budget.rounds(10, least: 4))
        let values = (0..<4).map { Array(repeating: $0, count: count) }
        try store.write(values[0], named: "x")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in values {
                group.addTask { for _ in 0..<rounds { try store.write(value, named: "x") } }
                group.addTask {
                    for _ in 0..<rounds {
                        let read = try store.read([Int].self, named: "x")
                        expect(values.contains(read))
                    }
                }
            }
            try await group.waitForAll()
        }
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: store.folder), ["x.json"])
    }
}

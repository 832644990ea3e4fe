import MoonlightTestSupport
import Testing

@testable import MoonFoundation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("FileStore: errors")
struct FileStoreFailureTests {
    typealias Basket = FileStoreTests.Basket

    let folder = TemporaryFolder()
    var store: FileStore { FileStore(folder: folder.path) }

    private func path(_ name: String) -> String { "\(folder.path)/\(name).json" }

    @Test("An error escapes the characters of a name that would steer a terminal")
    func escaped() {
        expectEscaped("\(FileStoreError.notFound(name: "\u{1B}[2J", path: "\u{1B}[2J"))")
        expectEscaped("\(FileStoreError.notDecodable(name: "a", path: "a", codingPath: "\u{1B}[2J", reason: "\r"))")
    }

    @Test("Reading or removing an absent value throws `notFound`")
    func notFound() throws {
        let expected = FileStoreError.notFound(name: "a", path: path("a"))
        #expect(throws: expected) { try store.read(Int.self, named: "a") }
        #expect(throws: expected) { try store.remove("a") }
        try folder.makeFolder("")
        #expect(throws: expected) { try store.read(Int.self, named: "a") }
        #expect(throws: expected) { try store.remove("a") }
    }

    @Test("The default is used only if there is no value, and for no other failure")
    func defaulting() throws {
        try expectEqual(store.read(named: "a", default: 7), 7)
        try store.write(8, named: "a")
        try expectEqual(store.read(named: "a", default: 7), 8)
        try folder.place("half a fi", at: "a.json")
        #expect(throws: FileStoreError.self) { try store.read(named: "a", default: 7) }
    }

    @Test("A folder at the file's path can be neither read, written nor removed, and is unchanged")
    func folderInTheWay() throws {
        try folder.makeFolder("a.json/precious")
        let reason = "it is a folder"
        #expect(throws: FileStoreError.notReadable(name: "a", path: path("a"), reason: reason)) {
            try store.read(Int.self, named: "a")
        }
        let notWritable = FileStoreError.notWritable(name: "a", path: path("a"), reason: reason)
        #expect(throws: notWritable) { try store.write(1, named: "a") }
        #expect(throws: notWritable) { try store.remove("a") }
        try expectEqual(folder.contents(), ["a.json"])
        try expectEqual(store.exists("a"), false)
        expect(FileManager.default.fileExists(atPath: path("a") + "/precious"))
    }

    @Test("A file that cannot be opened is not readable, and the error has the reason")
    func notReadable() throws {
        try folder.makeFolder("")
        try FileManager.default.createSymbolicLink(atPath: path("a"), withDestinationPath: path("a"))
        #expect(
            throws: FileStoreError.notReadable(
                name: "a", path: path("a"), reason: "its symbolic links form a cycle")
        ) { try store.read(Int.self, named: "a") }
    }

    @Test(
        "A file with other contents throws `notDecodable`, with the place and the reason",
        arguments: [
            (#"{"items": [{"name": "tea", "price": 1}, {"name": "jam", "price": "much"}]}"#, "items[1].price"),
            (#"{"items": [{"name": "tea"}]}"#, "items[0]"), (#"{"items": null}"#, "items"), ("[]", ""), ("", ""),
            (#"{"items": [{"na"#, ""),
        ])
    func notDecodable(text: String, place: String) throws {
        try folder.place(text, at: "a.json")
        let error = #expect(throws: FileStoreError.self) { try store.read(Basket.self, named: "a") }
        guard case .notDecodable("a", path("a"), place, let reason) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        expect(!reason.isEmpty)
        if place == "items[0]" { expectEqual(reason, "the key 'price' is missing") }
    }

    @Test("A value without JSON throws `notEncodable` with the place, and the old file is unchanged")
    func notEncodable() throws {
        let old = Basket(items: [.init(name: "tea", price: 1)])
        try store.write(old, named: "a")
        let error = #expect(throws: FileStoreError.self) {
            try store.write(Basket(items: [.init(name: "tea", price: .infinity)]), named: "a")
        }
        guard case .notEncodable("a", "items[0].price", _) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        try expectEqual(store.read(Basket.self, named: "a"), old)
    }

    private struct Stubborn: Codable, Error {
        init() {}
        init(from decoder: any Decoder) throws { throw Stubborn() }
        func encode(to encoder: any Encoder) throws { throw Stubborn() }
    }

    @Test("The description of a coder's error is the reason of the store's error")
    func ownErrors() throws {
        try folder.place("1", at: "a.json")
        #expect(throws: FileStoreError.notEncodable(name: "a", codingPath: "", reason: "Stubborn()")) {
            try store.write(Stubborn(), named: "a")
        }
        #expect(throws: FileStoreError.notDecodable(name: "a", path: path("a"), codingPath: "", reason: "Stubborn()")) {
            try store.read(Stubborn.self, named: "a")
        }
    }

    @Test("If a file is at the path of the folder, or of one above it, the error names that file", arguments: ["", "/b", "/b/c"])
    func fileInTheWay(below: String) throws {
        try folder.place("", at: "file")
        let store = FileStore(folder: folder.path + "/file" + below)
        let expected = FileStoreError.folderNotUsable(path: folder.path + "/file", reason: "it is a file")
        #expect(throws: expected) { try store.write(1, named: "a") }
        #expect(throws: expected) { try store.read(Int.self, named: "a") }
        #expect(throws: expected) { try store.remove("a") }
        #expect(throws: expected) { try store.names() }
        #expect(throws: expected) { try store.exists("a") }
    }

    @Test("A folder that cannot be created or listed throws an error with the reason")
    func folderNotUsable() throws {
        try folder.makeFolder("")
        let loop = folder.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let error = #expect(throws: FileStoreError.self) { try FileStore(folder: loop).names() }
        let reason = "its symbolic links form a cycle"
        expectEqual(error, .folderNotUsable(path: loop, reason: reason))
        // A folder that cannot be searched does not count as empty.
        #expect(throws: FileStoreError.notReadable(name: "a", path: loop + "/a.json", reason: reason)) {
            try FileStore(folder: loop).exists("a")
        }
    }

    @Test("A folder whose path the system would truncate is not usable")
    func truncatedFolder() throws {
        let cut = FileStore(folder: store.folder + "\u{0}.d")
        let isRefused = { @Sendable (error: any Error) in
            if case FileStoreError.folderNotUsable = error { true } else { false }
        }
        #expect(performing: { try cut.write(1, named: "a") }, throws: isRefused)
        #expect(performing: { try cut.read(named: "a", default: 1) }, throws: isRefused)
        #expect(performing: { try cut.names() }, throws: isRefused)
    }

    @Test(
        "Each function rejects a name that leads out of the folder or that no file can have",
        arguments: [
            "", ".", "..", "../a", "a/b", "/etc/passwd", #"..\a"#, "C:a", ".hidden", ".\u{301}a", "a\0b", "a\nb",
            String(repeating: "ü", count: 126), String(repeating: "a", count: 251),
        ])
    func badName(name: String) throws {
        let isBadName = { @Sendable (error: any Error) in
            if case FileStoreError.badName(name, _) = error { true } else { false }
        }
        #expect(performing: { try store.write(1, named: name) }, throws: isBadName)
        #expect(performing: { try store.read(Int.self, named: name) }, throws: isBadName)
        #expect(performing: { try store.read(named: name, default: 1) }, throws: isBadName)
        #expect(performing: { try store.remove(name) }, throws: isBadName)
        #expect(performing: { try store.exists(name) }, throws: isBadName)
    }

    @Test("The longest name that fits, and names with dots inside, are accepted")
    func goodNames() throws {
        for name in [String(repeating: "ü", count: 125), String(repeating: "a", count: 250), "a..b", "a.json", "x y", "🍋"] {
            try store.write(name, named: name)
            try expectEqual(store.read(String.self, named: name), name)
        }
        try expectEqual(store.names().count, 6)
    }

    // A test that runs everywhere can neither fill a disk nor deny permission to root, so these errors are constructed.
    @Test("A full disk, an exhausted quota, a read-only disk and missing permission have different errors")
    func systemFaults() {
        func failure(_ error: any Error) -> FileStoreError { store.writingFailure(error, name: "a", path: "p") }
        func notWritable(_ reason: String) -> FileStoreError { .notWritable(name: "a", path: "p", reason: reason) }
        expectEqual(failure(POSIXError(.ENOSPC)), .diskFull(name: "a", path: "p"))
        expectEqual(failure(POSIXError(.EDQUOT)), .diskFull(name: "a", path: "p"))
        expectEqual(failure(CocoaError(.fileWriteOutOfSpace)), .diskFull(name: "a", path: "p"))
        expectEqual(failure(POSIXError(.EROFS)), notWritable("the file system is read-only"))
        expectEqual(failure(CocoaError(.fileWriteVolumeReadOnly)), notWritable("the file system is read-only"))
        expectEqual(failure(POSIXError(.EACCES)), notWritable("permission denied"))
        expectEqual(failure(CocoaError(.fileWriteNoPermission)), notWritable("permission denied"))
        expectEqual(
            store.readingFailure(CocoaError(.fileReadNoPermission), name: "a", path: "p"),
            .notReadable(name: "a", path: "p", reason: "permission denied"))
    }

    @Test("The description of each error names the file and the reason")
    func descriptions() {
        let errors: [(FileStoreError, String)] = [
            (.badName("a/b", reason: "it contains '/'"), "'a/b' cannot be the name of a file: it contains '/'"),
            (.notFound(name: "a", path: "f/a.json"), "there is no 'a': f/a.json does not exist"),
            (.notReadable(name: "a", path: "f/a.json", reason: "no"), "cannot read f/a.json: no"),
            (
                .notDecodable(name: "a", path: "f/a.json", codingPath: "x[2]", reason: "no"),
                "cannot decode f/a.json at x[2]: no"
            ),
            (
                .notDecodable(name: "a", path: "f/a.json", codingPath: "", reason: "no"),
                "cannot decode f/a.json: no"
            ),
            (.notEncodable(name: "a", codingPath: "x", reason: "no"), "cannot encode 'a' at x: no"),
            (.notWritable(name: "a", path: "f/a.json", reason: "no"), "cannot write f/a.json: no"),
            (.diskFull(name: "a", path: "f/a.json"), "cannot write f/a.json: the disk is full"),
            (.folderNotUsable(path: "f", reason: "no"), "cannot use the folder f: no"),
        ]
        for (error, text) in errors { expectEqual("\(error)", text) }
    }
}

import MoonFoundation
import MoonlightTestSupport
import Testing

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

@Suite("Attributes of a file that a FileStore replaces")
struct FileReplacementTests {
    private let folder = TemporaryFolder()
    private var store: FileStore { FileStore(folder: folder.path) }
    private var file: String { folder.path + "/value.json" }

    private func attribute(_ key: FileAttributeKey, of path: String? = nil) throws -> String {
        "\(try FileManager.default.attributesOfItem(atPath: path ?? file)[key] ?? "nothing")"
    }

    @Test(
        "A replaced file keeps its mode, wider or narrower than that of a new file",
        arguments: [0o600, 0o640, 0o664, 0o777, 0o200])
    func mode(_ mode: Int) throws {
        try store.write(1, named: "value")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        try store.write(2, named: "value")
        try expectEqual(attribute(.posixPermissions), "\(mode)")
    }

    @Test("A new file has the default mode, restricted by the process's mask")
    func newFile() throws {
        try folder.place("", at: "other")
        try store.write(1, named: "value")
        try expectEqual(attribute(.posixPermissions), attribute(.posixPermissions, of: folder.path + "/other"))
    }

    @Test("A replaced file keeps its owner and group if the process may set them")
    func owner() throws {
        try store.write(1, named: "value")
        let mayChange =
            (try? FileManager.default.setAttributes(
                [.ownerAccountID: 1234, .groupOwnerAccountID: 2345, .posixPermissions: 0o640], ofItemAtPath: file)) != nil
        guard mayChange else { return }
        try store.write(2, named: "value")
        try expectEqual(attribute(.ownerAccountID), "1234")
        try expectEqual(attribute(.groupOwnerAccountID), "2345")
        try expectEqual(attribute(.posixPermissions), "\(0o640)")
    }

    @Test("A symbolic link stays, and its target is replaced", arguments: [false, true])
    func link(isRelative: Bool) throws {
        try folder.place("1", at: "target")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/second", withDestinationPath: "target")
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: isRelative ? "second" : folder.path + "/second")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/target")
        try store.write(2, named: "value")
        try expectEqual(store.read(Int.self, named: "value"), 2)
        try expectEqual(String(contentsOfFile: folder.path + "/target", encoding: .utf8), "2")
        try expectEqual(
            FileManager.default.destinationOfSymbolicLink(atPath: file), isRelative ? "second" : folder.path + "/second")
        try expectEqual(attribute(.posixPermissions, of: folder.path + "/target"), "\(0o640)")
        try expectEqual(folder.contents(), ["second", "target", "value.json"])
    }

    @Test("A file whose name begins with a combining mark is replaced in its folder, and so is the target of its link")
    func combiningMark() throws {
        try folder.makeFolder("in")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/in/\u{301}a.json", withDestinationPath: "b")
        let store = FileStore(folder: folder.path + "/in")
        try store.write(1, named: "\u{301}a")
        try expectEqual(folder.contents(), ["in"])
        try expectEqual(Set(FileManager.default.contentsOfDirectory(atPath: folder.path + "/in")), ["\u{301}a.json", "b"])
    }

    @Test("Writing through a dangling symbolic link creates the target")
    func danglingLink() throws {
        try folder.makeFolder("elsewhere")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "elsewhere/target")
        try store.write(2, named: "value")
        try expectEqual(String(contentsOfFile: folder.path + "/elsewhere/target", encoding: .utf8), "2")
    }

    @Test("A cycle of symbolic links throws an error that says so")
    func cycle() throws {
        try folder.makeFolder("")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "other")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/other", withDestinationPath: "value.json")
        #expect(throws: FileStoreError.notWritable(name: "value", path: file, reason: "its symbolic links form a cycle")) {
            try store.write(2, named: "value")
        }
        try expectEqual(folder.contents(), ["other", "value.json"])
    }

    @Test("A symbolic link to a path that is not UTF-8 throws an error, and no other file is written")
    func bytesInLink() throws {
        try folder.makeFolder("")
        let target: [CChar] = [CChar(bitPattern: 0x61), CChar(bitPattern: 0xFF), 0]
        expectEqual(symlink(target, file), 0)
        let reason = "a symbolic link leads to a path that is not UTF-8"
        #expect(throws: FileStoreError.notWritable(name: "value", path: file, reason: reason)) {
            try store.write(2, named: "value")
        }
        try expectEqual(folder.contents(), ["value.json"])
    }

    @Test("A write through a link to a device writes to the device")
    func device() throws {
        try folder.makeFolder("")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/null")
        try store.write(2, named: "value")
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
        expectEqual(type as? FileAttributeType, .typeCharacterSpecial)
    }
}

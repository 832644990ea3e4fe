import Foundation
import Testing

@testable import MoonlightDurability

@Suite("Files of the system")
struct SystemFilesTests {
    @Test("A path with NUL is refused, and nothing is created at the path before it")
    func truncated() throws {
        let path = FileManager.default.temporaryDirectory.path + "/files-\(UInt64.random(in: 0...UInt64.max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let files = SystemFiles()
        #expect(throws: DurabilityError.self) { try files.makeFolder(path + "\u{0}/b") }
        #expect(throws: DurabilityError.self) { try files.open(path + "\u{0}b", .replacing) }
        #expect(throws: DurabilityError.self) { try files.lock(path + "\u{0}b", note: "") }
        #expect(throws: DurabilityError.self) { try files.names(in: "/tmp\u{0}b") }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

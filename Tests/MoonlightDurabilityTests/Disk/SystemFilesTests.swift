import Foundation
import Testing

@testable import MoonlightDurability

@Suite("Files of the system")
struct SystemFilesTests {
    @Test("A path with NUL is refused, and nothing is created at the path before it")
    func truncated() throws {
        // A path for each call, since one that another has created may be refused for another reason.
        let folder = FileManager.default.temporaryDirectory.path
        let paths = (0..<3).map { _ in folder + "/files-\(UInt64.random(in: 0...UInt64.max))" }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        let files = SystemFiles()
        #expect(throws: DurabilityError.self) { try files.makeFolder(paths[0] + "\u{0}/b") }
        #expect(throws: DurabilityError.self) { try files.open(paths[1] + "\u{0}b", .replacing) }
        #expect(throws: DurabilityError.self) { try files.lock(paths[2] + "\u{0}b", note: "") }
        #expect(throws: DurabilityError.self) { try files.names(in: "/tmp\u{0}b") }
        for path in paths { #expect(!FileManager.default.fileExists(atPath: path)) }
    }
}

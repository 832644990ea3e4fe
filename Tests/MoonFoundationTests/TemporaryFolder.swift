#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A temporary folder for one test, removed afterwards.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.path() + "moon-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func place(_ text: String, at file: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path + "/" + file))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// The names of all its files, including hidden ones.
    func contents() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}

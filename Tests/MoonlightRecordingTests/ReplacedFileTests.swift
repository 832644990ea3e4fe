import Foundation
import MoonlightTestSupport
import Testing

@testable import MoonlightRecording

@Suite("Recording: attributes of a replaced file")
struct ReplacedFileTests {
    private func mode(of path: String) throws -> Int? {
        try (FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("A new file is readable only by its owner; a replaced one keeps its mode")
    func mode() throws {
        let stage = Stage().send(.stamp)
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.write(to: path)
        try expectEqual(mode(of: path), 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try stage.recording.write(to: path)
        try expectEqual(mode(of: path), 0o644)
        stage.end()
    }

    @Test("A path that the system would truncate is refused")
    func truncated() throws {
        let stage = Stage().send(.stamp)
        let path = temporaryPath()
        defer { removeFile(path) }
        try RecordingFile.write([1, 2, 3], to: path)
        #expect(throws: RecordingError.self) { try RecordingFile.read(path + "\u{0}.moon", limit: 9) }
        #expect(throws: RecordingError.self) { try stage.recording.write(to: path + "\u{0}.moon") }
        try expectEqual(RecordingFile.read(path, limit: 9), [1, 2, 3])
        stage.end()
    }

    @Test("A file that follows a recording at a symbolic link is the target of the link, also after a rewrite")
    func link() throws {
        let stage = Stage(keeping: .last(16, bytes: 4096))
        let (path, target) = (temporaryPath(), temporaryPath())
        defer { for path in [path, target] { removeFile(path) } }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        try stage.recording.follow(in: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        let notes = Budget.size(3000, quick: 1000)
        for count in 1...notes {
            stage.send(.note("a", count: count))
            if count % 5 == 0 { stage.recording.flush() }
        }
        stage.recording.flush()
        expect(stage.recording.fileFailure == nil)
        try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: path), target)
        try expectEqual(mode(of: target), 0o640)
        try expectEqual(Recording(of: desk, contentsOf: target).numbers?.upperBound, 2 * notes)
        expect(!FileManager.default.fileExists(atPath: target + ".new"))
        stage.end()
    }

    @Test("A file that has grown to more than 128 KB, and to twice the size of the kept steps, is written anew")
    func bounded() throws {
        let stage = Stage(keeping: .last(16))
        let path = temporaryPath()
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        var largest = 0
        for count in 1...400 {
            stage.send(.typed(String(repeating: "\(count) ", count: 100)))
            stage.recording.flush()
            largest = max(largest, try RecordingFile.read(path, limit: .max).count)
        }
        expect(stage.recording.fileFailure == nil)
        expect((1 << 17)...(1 << 17) + (1 << 14) ~= largest, "\(largest)")
        stage.end()
    }

    #if os(Linux)
        @Test("A recording that is released, or that follows another file, closes the file that it has followed")
        func closed() throws {
            let paths = [temporaryPath(), temporaryPath()]
            defer { for path in paths { removeFile(path) } }
            func isOpen(_ path: String) throws -> Bool {
                let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
                return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real
                }
            }
            do {
                let stage = Stage().send(.stamp)
                for path in paths { try stage.recording.follow(in: path) }
                try expectEqual(paths.map(isOpen), [false, true])
                stage.end()
            }
            try expectEqual(paths.map(isOpen), [false, false])
        }
    #endif
}

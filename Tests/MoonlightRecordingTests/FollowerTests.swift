import Foundation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightRecording

@Suite("Recording: a file that grows")
struct RecordingFollowerTests {
    private func append(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    /// The number of steps, and whether the recording is another one.
    private func shown(_ finding: RecordingFollower.Finding?) -> String {
        switch finding {
        case nil: "nothing"
        case .grown(let reader): "grown to \(reader.count)"
        case .anew(let reader): "anew with \(reader.count)"
        }
    }

    @Test("A follower finds each new step of a running program, also across segments and into a new file")
    func grows() async throws {
        let path = temporaryPath()
        defer { removeFile(path) }
        // Four steps in a segment; the file is begun anew when it has grown too large.
        let stage = Stage(keeping: .last(32, bytes: 20_000))
        try stage.recording.follow(in: path)
        let follower = try RecordingFollower(path)
        await expectEqual(follower.recording.count, 0)
        expectEqual(shown(try await follower.look()), "nothing")
        var (grown, anew) = (0, 0)
        let rounds = Budget.size(200, quick: 60)
        for round in 1...rounds {
            stage.send(.note(String(repeating: "\(round) ", count: 60), count: 1))
            stage.recording.flush()
            switch try await follower.look() {
            case .grown: grown += 1
            case .anew: anew += 1
            case nil: Issue.record("nothing was found in round \(round)")
            }
            let (read, whole) = (await follower.recording, try RecordingReader(contentsOf: path))
            expect(read.numbers == whole.numbers && read.numbers?.upperBound == stage.recording.numbers?.upperBound)
            expectEqual(read.count, whole.count)
        }
        expect(grown > rounds / 2 && anew >= Budget.size(2, quick: 1), "\(grown) \(anew)")
        let last = try #require(stage.recording.numbers).upperBound
        let read = await follower.recording
        try expectEqual(read.steps(from: last), stage.recording.reader.steps(from: last))
        try expectEqual(read.state(at: last), stage.recording.reader.state(at: last))
        stage.end()
    }

    @Test("A half-written frame is waited for, and then taken")
    func half() async throws {
        let (path, stage) = (temporaryPath(), Stage().send(.stamp))
        defer { removeFile(path) }
        try stage.recording.follow(in: path)
        let follower = try RecordingFollower(path)
        await expectEqual(follower.recording.count, 3)
        let before = try Data(contentsOf: URL(filePath: path))
        stage.send(.stamp)
        stage.recording.flush()
        let after = try Data(contentsOf: URL(filePath: path))
        let new = after[before.count...]
        try before.write(to: URL(filePath: path))
        expectEqual(shown(try await follower.look()), "nothing")
        try append(new.prefix(20), to: path)
        expectEqual(shown(try await follower.look()), "nothing")
        await expect(follower.recording.cut == nil)
        try append(new.dropFirst(20), to: path)
        expectEqual(shown(try await follower.look()), "grown to 6")
        stage.end()
    }

    @Test("A file that was cut or replaced is read anew")
    func replaced() async throws {
        let (path, one, other) = (temporaryPath(), Stage().send(.stamp, .stamp), Stage().send(.stamp))
        defer { removeFile(path) }
        try one.recording.write(to: path)
        let follower = try RecordingFollower(path)
        // Cut in place, to another recording.
        let short = Data(other.recording.bytes)
        try short.write(to: URL(filePath: path))
        expectEqual(shown(try await follower.look()), "anew with 3")
        expectEqual(shown(try await follower.look()), "nothing")
        // Replaced by a new file of the same size.
        try other.recording.write(to: path)
        expectEqual(shown(try await follower.look()), "anew with 3")
        // Overwritten in place, as by a copy, by something longer, which does not continue what was read.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data(one.recording.bytes))
        try file.close()
        expectEqual(shown(try await follower.look()), "anew with 6")
        // Written again as it was.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        expectEqual(shown(try await follower.look()), "nothing")
        one.end()
        other.end()
    }

    @Test("A file that was overwritten by one of the same size is read anew")
    func sameSize() async throws {
        let (path, one, other) = (temporaryPath(), Stage().send(.typed("a")), Stage().send(.typed("b")))
        defer { removeFile(path) }
        try one.recording.write(to: path)
        let follower = try RecordingFollower(path)
        let bytes = other.recording.bytes
        expectEqual(bytes.count, one.recording.bytes.count)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data(bytes))
        try file.close()
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 2)], ofItemAtPath: path)
        expectEqual(shown(try await follower.look()), "anew with \(other.recording.reader.count)")
        try await expectEqual(follower.recording.step(at: 0).text, "typed(\"b\")")
        one.end()
        other.end()
    }

    @Test("A missing or damaged file is an error until it is whole again")
    func damaged() async throws {
        let (path, stage) = (temporaryPath(), Stage().send(.stamp))
        defer { removeFile(path) }
        try stage.recording.write(to: path)
        let follower = try RecordingFollower(path)
        removeFile(path)
        await #expect(throws: RecordingError.file(path: path, reason: "No such file or directory")) { try await follower.look() }
        var bytes = stage.recording.bytes
        bytes[30] ^= 1
        try Data(bytes).write(to: URL(filePath: path))
        let damage = RecordingError.damaged(byte: 8, reason: "the checksum of a frame is wrong")
        await #expect(throws: damage) { try await follower.look() }
        await #expect(throws: damage) { try await follower.look() }
        await expectEqual(follower.recording.count, 3)
        try stage.recording.write(to: path)
        expectEqual(shown(try await follower.look()), "anew with 3")
        expectEqual(shown(try await follower.look()), "nothing")
        #expect(throws: RecordingError.self) { try RecordingFollower("\(path).none") }
        stage.end()
    }

    @Test("A file larger than the limit is refused, at first and after it has grown")
    func limited() async throws {
        let (path, stage) = (temporaryPath(), Stage().send(.stamp))
        defer { removeFile(path) }
        try stage.recording.write(to: path)
        let size = stage.recording.bytes.count
        #expect(throws: RecordingError.tooLarge(what: path, size: size, limit: size - 1)) {
            try RecordingFollower(path, limits: RecordingLimits(file: size - 1))
        }
        let follower = try RecordingFollower(path, limits: RecordingLimits(file: size))
        try append([0], to: path)
        await #expect(throws: RecordingError.tooLarge(what: path, size: size + 1, limit: size)) { try await follower.look() }
        stage.end()
    }

    @Test("Steps are found by their index, and indices by numbers, across segments and gaps")
    func indices() throws {
        let stage = Stage(keeping: .last(64))
        for _ in 0..<30 { stage.send(.note("a", count: 1), .note("a", count: 2)) }
        let whole = stage.recording.reader
        // Some segments in the middle are lost.
        var archive = whole.archive
        archive.segments.removeSubrange(2...4)
        let reader = RecordingReader(archive)
        let steps = try reader.steps()
        expect(reader.count == steps.count && steps.count > 20 && archive.segments.count > 4)
        for (index, step) in steps.enumerated() {
            expect(reader.number(at: index) == step.number && reader.index(of: step.number) == index)
            try expectEqual(reader.step(at: index), step)
        }
        expect(reader.number(at: -1) == nil && reader.number(at: steps.count) == nil)
        #expect(throws: RecordingError.self) { try reader.step(at: steps.count) }
        // What is not kept stands for what follows, and what is beyond the end for the last.
        let gap = try #require(zip(steps, steps.dropFirst()).first { $0.number + 1 < $1.number })
        expectEqual(reader.index(of: gap.0.number + 1), reader.index(of: gap.1.number))
        expect(reader.index(of: -3) == 0 && reader.index(of: .max) == steps.count - 1)
        expectEqual(RecordingReader(Archive(RecordingHeader())).index(of: 1), 0)
        stage.end()
    }
}

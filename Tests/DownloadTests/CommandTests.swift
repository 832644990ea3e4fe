import MoonlightTestSupport
import SampleSupport
import Testing

@testable import DownloadSample

@Suite("Download: commands and the command line")
struct CommandTests {
    @Test("A command is a word and a name, which may have spaces, or a source")
    func lines() throws {
        try expectEqual(Command(line: "cancel a b"), .ask(.file("a b", .cancel)))
        try expectEqual(Command(line: "retry   a"), .ask(.file("a", .retry)))
        try expectEqual(Command(line: "remove a"), .ask(.remove("a")))
        try expectEqual(Command(line: "quit"), .quit)
        try expectEqual(Command(line: "file:/a b"), .ask(.add(.file("/a b"))))
        for line in ["cancel", "stop a", "quit now"] {
            #expect(throws: Source.Fault.self) { try Command(line: line) }
        }
    }

    @Test("The command line has sources and options, and a mistake in it is named")
    func options() throws {
        let expected = Options(
            sources: [.file("/a"), .file("-b")], readsInput: true, folder: "out", limit: 2, speed: 10_240,
            showsJournal: true)
        let words = ["file:/a", "--into=out", "--at-once", "2", "--speed", "10", "--journal", "-", "--", "file:-b"]
        try expectEqual(Options.parse(words), .run(expected))
        try expectEqual(Options.parse([]), .run(Options(readsInput: true)))
        try expectEqual(Options.parse(["--journal", "-h"]), .help)
        for (words, message) in [
            (["--into"], "--into needs a folder"),
            (["--at-once", "0"], "--at-once takes a whole number from 1 to 64, not 0"),
            (["--journal=yes"], "--journal takes no value"), (["--nope"], "unknown option --nope"),
            (["--nope=1"], "unknown option --nope=1"), (["x"], "x: a source begins with file: or http://"),
        ] {
            let complaint = #expect(throws: UserFacingError.self) { try Options.parse(words) }
            expectEqual(complaint?.message, message + " (try download --help)")
            expectEqual(complaint?.exitCode, ExitCode.usage)
        }
    }
}

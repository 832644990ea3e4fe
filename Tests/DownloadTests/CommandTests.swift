import SampleSupport
import Testing

@testable import DownloadSample

@Suite("What can be said to download")
struct CommandTests {
    @Test("A line is a word and a name, which may have spaces, or a source")
    func lines() throws {
        #expect(try Command(line: "cancel a b") == .ask(.file("a b", .cancel)))
        #expect(try Command(line: "retry   a") == .ask(.file("a", .retry)))
        #expect(try Command(line: "remove a") == .ask(.remove("a")))
        #expect(try Command(line: "quit") == .quit)
        #expect(try Command(line: "file:/a b") == .ask(.add(.file("/a b"))))
        for line in ["cancel", "stop a", "quit now"] {
            #expect(throws: Source.Fault.self) { try Command(line: line) }
        }
    }

    @Test("The command line names sources and options; what is wrong is named")
    func options() throws {
        let expected = Options(
            sources: [.file("/a"), .file("-b")], readsInput: true, folder: "out", limit: 2, speed: 10_240,
            showsJournal: true)
        let words = ["file:/a", "--into=out", "--at-once", "2", "--speed", "10", "--journal", "-", "--", "file:-b"]
        #expect(try Options.parse(words) == .run(expected))
        #expect(try Options.parse([]) == .run(Options(readsInput: true)))
        #expect(try Options.parse(["--journal", "-h"]) == .help)
        for (words, message) in [
            (["--into"], "--into needs a folder"),
            (["--at-once", "0"], "--at-once takes a whole number from 1 to 64, not 0"),
            (["--journal=yes"], "--journal takes no value"), (["--nope"], "unknown option --nope"),
            (["--nope=1"], "unknown option --nope=1"), (["x"], "x: a source begins with file: or http://"),
        ] {
            let complaint = #expect(throws: UserFacingError.self) { try Options.parse(words) }
            #expect(complaint?.message == message + " (try download --help)")
            #expect(complaint?.exitCode == ExitCode.usage)
        }
    }
}

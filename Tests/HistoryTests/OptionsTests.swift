import MoonlightTestSupport
import SampleSupport
import Testing

@testable import HistorySample

@Suite("History: the command line")
struct OptionsTests {
    @Test("An empty command line leaves all options at their defaults")
    func nothing() throws {
        try expectEqual(Options.parse([]), .run(Options()))
    }

    @Test("A value follows its option, or an equals sign, and the last one counts")
    func values() throws {
        let expected = Options(seed: 18_446_744_073_709_551_615, delay: 0, textFile: "a=b.txt")
        try expectEqual(
            Options.parse(["--seed", "18446744073709551615", "--delay=0", "--text", "a=b.txt"]), .run(expected))
        try expectEqual(Options.parse(["--text=a=b.txt"]), .run(Options(textFile: "a=b.txt")))
        try expectEqual(Options.parse(["--seed", "1", "--seed", "2"]), .run(Options(seed: 2)))
        try expectEqual(Options.parse(["--record", "run.moon"]), .run(Options(record: "run.moon")))
    }

    @Test(
        "`--help` and `-h` ask for help, also behind other options", arguments: [["--help"], ["-h"], ["--seed", "1", "--help"]])
    func help(arguments: [String]) throws {
        try expectEqual(Options.parse(arguments), .help)
    }

    @Test(
        "A mistake in the command line is named, with the exit code for a wrong command line",
        arguments: [
            (["--seed"], "--seed needs a number"),
            (["--seed", "-1"], "--seed takes a whole number from 0 to 18446744073709551615, not -1"),
            (["--seed", "1.5"], "--seed takes a whole number from 0 to 18446744073709551615, not 1.5"),
            (["--delay", "soon"], "--delay takes a whole number from 0 to 3600000, not soon"),
            (["--delay", "3600001"], "--delay takes a whole number from 0 to 3600000, not 3600001"),
            (["--text"], "--text needs a file"),
            (["--text="], "--text needs a file"),
            (["--colour"], "unknown option --colour"),
            (["-x=1"], "unknown option -x=1"),
            (["--help=1"], "--help takes no value"),
            (["file"], "unexpected argument file"),
            ([""], "unexpected argument"),
        ])
    func wrong(arguments: [String], message: String) {
        let complaint = #expect(throws: UserFacingError.self) { try Options.parse(arguments) }
        expectEqual(complaint?.message.hasPrefix(message), true)
        expectEqual(complaint?.exitCode, ExitCode.usage)
    }
}

import MoonlightTestSupport
import Testing

@testable import HistorySample

@Suite("History: commands")
struct CommandTests {
    @Test(
        "Words are commands, whatever their capitals",
        arguments: [
            ("number", Command.ask(.numberRequested)), ("n", .ask(.numberRequested)), ("N", .ask(.numberRequested)),
            ("text", .ask(.textRequested)), ("t", .ask(.textRequested)), ("quit", .quit), ("q", .quit),
        ])
    func words(word: String, command: Command) {
        expectEqual(Command(word: word), command)
    }

    @Test("Unknown words are no commands", arguments: ["", "numbers", "nn", "ñ", " n"])
    func otherWords(word: String) {
        expect(Command(word: word) == nil)
    }
}

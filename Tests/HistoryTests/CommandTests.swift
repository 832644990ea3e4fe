import Testing

@testable import HistorySample

@Suite("The commands of history")
struct CommandTests {
    @Test(
        "Words have a meaning, whatever their capitals",
        arguments: [
            ("number", Command.ask(.numberRequested)), ("n", .ask(.numberRequested)), ("N", .ask(.numberRequested)),
            ("text", .ask(.textRequested)), ("t", .ask(.textRequested)), ("quit", .quit), ("q", .quit),
        ])
    func words(word: String, command: Command) {
        #expect(Command(word: word) == command)
    }

    @Test("Other words mean nothing", arguments: ["", "numbers", "nn", "ñ", " n"])
    func otherWords(word: String) {
        #expect(Command(word: word) == nil)
    }
}

import SampleTerminal
import Testing

@testable import HistorySample

@Suite("The commands of history")
struct CommandTests {
    @Test(
        "Words and keys mean the same",
        arguments: [
            ("number", Command.ask(.numberRequested)), ("n", .ask(.numberRequested)), ("N", .ask(.numberRequested)),
            ("text", .ask(.textRequested)), ("t", .ask(.textRequested)), ("quit", .quit), ("q", .quit),
        ])
    func words(word: String, command: Command) {
        #expect(Command(word: word) == command)
        if word.count == 1 { #expect(Command(key: .character(Character(word))) == command) }
    }

    @Test("Other words and keys mean nothing", arguments: ["", "numbers", "nn", "ñ", " n"])
    func otherWords(word: String) {
        #expect(Command(word: word) == nil)
    }

    @Test("Ctrl-C and Ctrl-D leave; other keys without a letter mean nothing")
    func keys() {
        #expect(Command(key: .control("c")) == .quit)
        #expect(Command(key: .control("d")) == .quit)
        #expect(Command(key: .control("n")) == nil)
        #expect(Command(key: .enter) == nil)
        #expect(Command(key: .up) == nil)
    }
}

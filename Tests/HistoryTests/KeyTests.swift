import Testing

@testable import SampleTerminal

@Suite("Keys of a terminal")
struct KeyTests {
    private func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var parser = KeyParser()
        var keys = bytes.flatMap { parser.take($0) }
        keys += parser.endOfPause()
        #expect(!parser.isWaiting)
        return keys
    }

    @Test(
        "Bytes become the keys that sent them",
        arguments: [
            ("nt", [Key.character("n"), .character("t")]),
            ("\u{3}\u{4}\u{1A}", [.control("c"), .control("d"), .control("z")]),
            ("\r\n\t\u{7F}", [.enter, .enter, .tab, .backspace]),
            ("é月🌕", [.character("é"), .character("月"), .character("🌕")]),
            ("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}[15~q", [.other, .character("q")]),
            ("\u{1B}", [.escape]),
            ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\u{1B}[", [.other]),
            ("\u{1B}nq", [.other, .character("q")]),
            ("\u{1B}é", [.other]),
            ("\0\u{1C}", [.other, .other]),
        ])
    func keys(text: String, expected: [Key]) {
        #expect(keys(text.utf8) == expected)
    }

    @Test(
        "Bytes that are no UTF-8 disturb nothing after them",
        arguments: [[0xFF], [0xC3], [0x80], [0xE6, 0x9C], [0xED, 0xA0, 0x80], [0xF4, 0xBF, 0xBF, 0xBF]] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        let keys = keys(bytes + [UInt8(ascii: "q")])
        #expect(keys.dropLast().allSatisfy { $0 == .other })
        #expect(keys.last == .character("q"))
    }
}

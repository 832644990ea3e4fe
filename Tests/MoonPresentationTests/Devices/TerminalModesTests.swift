import Testing

@testable import MoonPresentation

@Suite("Terminals: modes and questions")
struct TerminalModesTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^") }

    @Test("modes end in the reverse order of their beginning, behind the end of a string that was cut short")
    func order() {
        let modes: TerminalModes = [.paste, .mouse, .mouseMoves, .focus, .kittyKeyboard, .otherKeys, .title]
        #expect(text(modes.beginning) == "^[?2004h^[?1002;1006h^[?1003h^[?1004h^[>1u^[>4;1m^[22;2t")
        #expect(text(modes.end) == "^\\^[23;2t^[>4m^[<u^[?1004l^[?1003l^[?1002;1006l^[?2004l")
        #expect(TerminalModes().beginning == [] && TerminalModes().end == [])
        #expect(text(TerminalModes.paste.end) == "^\\^[?2004l")
    }

    @Test("answers turn on what the terminal can do, and Kitty's protocol goes before xterm's")
    func answers() {
        var questions = Questions()
        var modes: TerminalModes = []
        var capabilities = TerminalCapabilities()
        #expect(!questions.areAnswered && text(questions.bytes).hasSuffix("^[c"))
        questions.take(.mode(2026, 0), &modes, &capabilities)
        questions.take(.mode(2026, 4), &modes, &capabilities)
        questions.take(.mode(2027, 2), &modes, &capabilities)
        #expect(!capabilities.synchronizedOutput && !capabilities.graphemeClusters && modes == [])
        questions.take(.mode(2026, 2), &modes, &capabilities)
        questions.take(.mode(2027, 1), &modes, &capabilities)
        #expect(capabilities.synchronizedOutput && capabilities.graphemeClusters)
        questions.take(.keyboard(0), &modes, &capabilities)
        #expect(modes == .kittyKeyboard && !questions.areAnswered)
        questions.take(.attributes([62]), &modes, &capabilities)
        #expect(modes == .kittyKeyboard && questions.areAnswered)

        var others = Questions()
        modes = []
        others.take(.attributes([1]), &modes, &capabilities)
        #expect(modes == .otherKeys && others.areAnswered)
        modes = []
        others.take(.attributes([1]), &modes, &capabilities)
        #expect(modes == [])
        #expect(Questions.none.areAnswered && Questions.none.bytes == [])
    }
}

@Suite("Lines of bytes")
struct LineSplitterTests {
    @Test("however bytes are cut, the lines are the same")
    func cuts() {
        let bytes = Array("one\r\n\n0123456789\nthr\u{FF}ee\r\nlast".utf8)
        let expected: [LineSplitter.Line] = [
            .init(text: "one", isCut: false), .init(text: "", isCut: false), .init(text: "01234567", isCut: true),
            .init(text: "thr\u{FF}ee", isCut: false), .init(text: "last", isCut: false),
        ]
        for place in 0...bytes.count {
            var splitter = LineSplitter(longest: 8)
            var lines = splitter.takeLines(bytes[..<place]) + splitter.takeLines(bytes[place...])
            if let last = splitter.endLine() { lines.append(last) }
            #expect(lines == expected, "cut at \(place)")
        }
    }

    @Test("after a last line with an end there is no other one")
    func end() {
        var splitter = LineSplitter()
        #expect(splitter.take(Array("a\n".utf8)[...]) == ["a"])
        #expect(splitter.end() == [])
        #expect(splitter.take(Array("b".utf8)[...]) == [])
        #expect(splitter.end() == ["b"])
        #expect(splitter.end() == [])
    }
}

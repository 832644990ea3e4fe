import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Terminals: modes, and questions to a terminal")
struct TerminalModesTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^") }

    @Test("Modes end in the reverse order of their beginning, behind the end of a string that was cut short")
    func order() {
        let modes: TerminalModes = [.paste, .mouse, .mouseMoves, .focus, .kittyKeyboard, .otherKeys, .title]
        expectEqual(text(modes.beginning), "^[?2004h^[?1002;1006h^[?1003h^[?1004h^[>1u^[>4;1m^[22;2t")
        expectEqual(text(modes.end), "^\\^[23;2t^[>4m^[<u^[?1004l^[?1003l^[?1002;1006l^[?2004l")
        expect(TerminalModes().beginning == [] && TerminalModes().end == [])
        expectEqual(text(TerminalModes.paste.end), "^\\^[?2004l")
    }

    @Test("A terminal's answers turn on what it can do, and Kitty's protocol is preferred to xterm's")
    func answers() {
        var questions = Questions()
        var modes: TerminalModes = []
        var capabilities = TerminalCapabilities()
        expect(!questions.areAnswered && text(questions.bytes).hasSuffix("^[c"))
        questions.take(.mode(2026, 0), &modes, &capabilities)
        questions.take(.mode(2026, 4), &modes, &capabilities)
        questions.take(.mode(2027, 2), &modes, &capabilities)
        expect(!capabilities.synchronizedOutput && !capabilities.graphemeClusters && modes == [])
        questions.take(.mode(2026, 2), &modes, &capabilities)
        questions.take(.mode(2027, 1), &modes, &capabilities)
        expect(capabilities.synchronizedOutput && capabilities.graphemeClusters)
        questions.take(.keyboard(0), &modes, &capabilities)
        expect(modes == .kittyKeyboard && !questions.areAnswered)
        questions.take(.attributes([62]), &modes, &capabilities)
        expect(modes == .kittyKeyboard && questions.areAnswered)

        var others = Questions()
        modes = []
        others.take(.attributes([1]), &modes, &capabilities)
        expect(modes == .otherKeys && others.areAnswered)
        modes = []
        others.take(.attributes([1]), &modes, &capabilities)
        expectEqual(modes, [])
        expect(Questions.none.areAnswered && Questions.none.bytes == [])
    }
}

@Suite("LineSplitter: lines of bytes")
struct LineSplitterTests {
    @Test("Lines are the same wherever their bytes are cut")
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
            expectEqual(lines, expected, "cut at \(place)")
        }
    }

    @Test("Behind a last line with a line break there is no further line")
    func end() {
        var splitter = LineSplitter()
        expectEqual(splitter.take(Array("a\n".utf8)[...]), ["a"])
        expectEqual(splitter.end(), [])
        expectEqual(splitter.take(Array("b".utf8)[...]), [])
        expectEqual(splitter.end(), ["b"])
        expectEqual(splitter.end(), [])
    }
}

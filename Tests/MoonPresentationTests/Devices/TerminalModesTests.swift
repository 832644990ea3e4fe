import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Terminals: modes and queries")
struct TerminalModesTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^") }

    @Test("Modes are ended in reverse order, after the end of a string sequence that may be incomplete")
    func order() {
        let modes: TerminalModes = [.paste, .mouse, .mouseMoves, .focus, .kittyKeyboard, .otherKeys, .title]
        expectEqual(text(modes.beginning), "^[?2004h^[?1002;1006h^[?1003h^[?1004h^[>5u^[>4;1m^[22;2t")
        expectEqual(text(modes.end), "^\\^[23;2t^[>4m^[<u^[?1004l^[?1003l^[?1002;1006l^[?2004l")
        expect(TerminalModes().beginning == [] && TerminalModes().end == [])
        expectEqual(text(TerminalModes.paste.end), "^\\^[?2004l")
    }

    @Test("Replies of a terminal enable its features, and Kitty's protocol is preferred to xterm's")
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
        questions.take(.keyboard, &modes, &capabilities)
        expect(modes == .kittyKeyboard && !questions.areAnswered)
        questions.take(.attributes, &modes, &capabilities)
        expect(modes == .kittyKeyboard && questions.areAnswered)

        var others = Questions()
        modes = []
        others.take(.attributes, &modes, &capabilities)
        expect(modes == .otherKeys && others.areAnswered)
        modes = []
        others.take(.attributes, &modes, &capabilities)
        expectEqual(modes, [])
        expect(Questions.none.areAnswered && Questions.none.bytes == [])
    }
}

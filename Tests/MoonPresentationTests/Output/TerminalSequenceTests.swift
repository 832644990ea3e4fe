import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Output: titles, the clipboard and capabilities")
struct TerminalSequenceTests {
    private func capabilities(_ environment: [String: String]) -> TerminalCapabilities {
        TerminalCapabilities { environment[$0] }
    }

    @Test("A title cannot end its own sequence, and its length is limited")
    func titles() {
        expectEqual(String(decoding: TerminalSequence.title("a\u{7}b\u{1B}\\ü\u{202E}"), as: UTF8.self), "\u{1B}]2;ab\\ü\u{1B}\\")
        expectEqual(TerminalSequence.title(String(repeating: "x", count: 999)).count, 200 + 6)
    }

    @Test(
        "Text for the clipboard is encoded in Base64",
        arguments: [("", ""), ("M", "TQ=="), ("Mo", "TW8="), ("Moo", "TW9v"), ("Moon\u{1B}", "TW9vbhs="), ("ÿþ", "w7/Dvg==")])
    func clipboard(text: String, encoded: String) {
        expectEqual(
            TerminalSequence.clipboard(text).map { String(decoding: $0, as: UTF8.self) }, "\u{1B}]52;c;\(encoded)\u{1B}\\")
    }

    @Test("A text that is longer than terminals take is not sent to the clipboard")
    func longClipboard() {
        expect(TerminalSequence.clipboard(String(repeating: "x", count: 74_994)) != nil)
        expect(TerminalSequence.clipboard(String(repeating: "x", count: 74_995)) == nil)
    }

    @Test("The colors of a terminal follow from the environment")
    func colors() {
        expect(
            capabilities(["TERM": "xterm"]).colors == .ansi16 && capabilities(["TERM": "xterm-256color"]).colors == .palette256)
        expect(
            capabilities(["TERM": "xterm", "COLORTERM": "truecolor"]).colors == .rgb
                && capabilities(["TERM": "xterm-kitty"]).colors == .rgb)
        expectEqual(capabilities(["TERM": "xterm-256color", "COLORTERM": "24bit", "NO_COLOR": "1"]).colors, .none)
        expectEqual(capabilities(["TERM": "xterm-256color", "NO_COLOR": ""]).colors, .palette256)
        expect(capabilities(["TERM": "screen"]).colors == .palette256 && capabilities(["TERM": "xterm-direct"]).colors == .rgb)
    }

    @Test("A terminal that is dumb or unknown receives no sequences")
    func dumb() {
        expect(capabilities([:]).isDumb && capabilities(["TERM": "dumb", "COLORTERM": "truecolor"]).colors == .none)
        expect(capabilities(["TERM": "dumb"]).isDumb && !capabilities(["TERM": "xterm"]).isDumb)
        expect(!capabilities(["TERM": "dumb"]).hyperlinks && !capabilities(["TERM": "dumb"]).scrollRegions)
    }

    @Test("Frames are synchronized on terminals that are known to support it, and not through a multiplexer")
    func synchronized() {
        expect(
            capabilities(["TERM": "xterm-kitty"]).synchronizedOutput
                && capabilities(["TERM": "xterm-256color", "WT_SESSION": "x"]).synchronizedOutput)
        expect(!capabilities(["TERM": "xterm-256color"]).synchronizedOutput)
        expect(!capabilities(["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"]).synchronizedOutput)
        expect(!capabilities(["TERM": "xterm-kitty", "TMUX": "/tmp/x"]).synchronizedOutput)
    }

    @Test("Lines count as rewrapped only on terminals that are known to rewrap")
    func reflow() {
        expect(!capabilities(["TERM": "xterm-256color"]).reflow && !capabilities(["TERM": "linux"]).reflow)
        expect(
            capabilities(["TERM": "xterm-256color", "VTE_VERSION": "7600"]).reflow
                && capabilities(["TERM": "tmux-256color"]).reflow)
        expect(!capabilities(["TERM": "linux"]).hyperlinks && capabilities(["TERM": "xterm"]).hyperlinks)
    }
}

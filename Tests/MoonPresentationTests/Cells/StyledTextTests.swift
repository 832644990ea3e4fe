import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Styled text: runs, lines and widths")
struct StyledTextTests {
    @Test("Neighbors of one style are one run, and empty text has no run")
    func runs() {
        let text = StyledText("a", .bold) + StyledText("b", .bold) + "" + "c"
        expect(text.runs.map(\.text) == ["ab", "c"] && text.string == "abc" && text.columns == 3)
        expect(StyledText().isEmpty && StyledText("").isEmpty && !text.isEmpty)
        expect(text == StyledText("ab", .bold) + "c" && text != "abc")
    }

    @Test("Styles whose links differ only in their code points differ, and their texts are two runs")
    func links() {
        let (composed, decomposed) = (Style(link: "caf\u{e9}"), Style(link: "cafe\u{301}"))
        expect(composed != decomposed && composed == Style(link: "caf\u{e9}") && Set([composed, decomposed]).count == 2)
        expectEqual((StyledText("a", composed) + StyledText("b", decomposed)).runs.count, 2)
    }

    @Test(
        "Lines are broken between words",
        arguments: [
            ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]),
            ("one two three", 7, ["one two", "three"]),
            ("one   two", 4, ["one", "two"]), ("ab ", 2, ["ab"]),
            ("ab ", 3, ["ab "]), ("a b c", 1, ["a", "b", "c"]),
        ])
    func words(text: String, width: Int, lines: [String]) {
        expectEqual(StyledText(text).wrapped(to: width).map(\.string), lines)
    }

    @Test("A word that is longer than a line is broken")
    func longWords() {
        expectEqual(StyledText("abcdefgh").wrapped(to: 3).map(\.string), ["abc", "def", "gh"])
        expectEqual(StyledText("x abcdefgh y").wrapped(to: 3).map(\.string), ["x", "abc", "def", "gh", "y"])
        expectEqual(StyledText("abc").wrapped(to: 0).map(\.string), ["a", "b", "c"])
    }

    @Test("Line breaks of a text, and the blanks before them, are kept")
    func breaks() {
        expectEqual(StyledText("a \n\nb\r\nc\u{2028}d").wrapped(to: 9).map(\.string), ["a ", "", "b", "c", "d"])
        expectEqual(StyledText("a\n").lines.map(\.string), ["a", ""])
        expectEqual(StyledText("  a b\nc").lines.map(\.string), ["  a b", "c"])
    }

    @Test("Indentation is kept if it fits into the line")
    func indentation() {
        expectEqual(StyledText("  ab cd").wrapped(to: 4).map(\.string), ["  ab", "cd"])
        expectEqual(StyledText("    ab").wrapped(to: 4).map(\.string), ["ab"])
    }

    @Test("Lines may break between wide characters, and none exceeds the width")
    func wide() {
        expectEqual(StyledText("日本語").wrapped(to: 5).map(\.string), ["日本", "語"])
        expectEqual(StyledText("ab日本").wrapped(to: 4).map(\.string), ["ab日", "本"])
        expectEqual(StyledText("日本").wrapped(to: 1).map(\.string), ["日", "本"])
        expectEqual(StyledText("👩‍👩‍👧👍🏽 x").wrapped(to: 3).map(\.string), ["👩‍👩‍👧", "👍🏽", "x"])
    }

    @Test("Tabs become blanks up to the next tab stop")
    func tabulators() {
        expectEqual(StyledText("a\tb").wrapped(to: 20).map(\.string), ["a       b"])
        expectEqual(StyledText("12345678\tb").wrapped(to: 20).map(\.string), ["12345678        b"])
    }

    @Test("Styles are kept across lines")
    func wrappedStyles() {
        let lines = (StyledText("one ", .bold) + StyledText("two", .dim)).wrapped(to: 4)
        expectEqual(lines, [StyledText("one", .bold), StyledText("two", .dim)])
        let joined = (StyledText("on", .bold) + StyledText("e two", .dim)).wrapped(to: 3)
        expectEqual(joined, [StyledText("on", .bold) + StyledText("e", .dim), StyledText("two", .dim)])
    }

    @Test("A text that is too wide ends in an ellipsis")
    func truncated() {
        expect(StyledText("abcdef").truncated(to: 6) == "abcdef" && StyledText("abcdef").truncated(to: 5) == "abcd…")
        expect(StyledText("abcdef").truncated(to: 1) == "…" && StyledText("abcdef").truncated(to: 0).isEmpty)
        expect(StyledText("日本語").truncated(to: 5) == "日本…" && StyledText("日本語").truncated(to: 4) == "日…")
        expect(
            StyledText("abcdef").truncated(to: 4, ellipsis: "...") == "a..."
                && StyledText("abcdef").truncated(to: 2, ellipsis: "...") == "ab")
        expect(StyledText("abc").truncated(to: -1).isEmpty)
    }

    @Test("An ellipsis has the style of the text that it replaces")
    func truncatedStyles() {
        let text = StyledText("ab", .bold) + StyledText("cdef", .dim)
        expectEqual(text.truncated(to: 4), StyledText("ab", .bold) + StyledText("c…", .dim))
        expectEqual(text.truncated(to: 3), StyledText("ab…", .bold))
    }

    @Test("Literals of styled text can be interpolated")
    func literals() {
        let number = 5
        let text: StyledText = "row \(number)"
        expectEqual(text.string, "row 5")
    }
}

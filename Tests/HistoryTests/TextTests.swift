import Testing

@testable import SampleTerminal

@Suite("Text on a terminal")
struct TextTests {
    @Test(
        "A text is as wide as its characters are on the screen",
        arguments: [
            ("", 0), ("moon", 4), ("mañana", 6), ("man\u{303}ana", 6), ("月", 2), ("ﾊﾝｶｸ", 4), ("한글", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("🌕", 2), ("👩‍🚀", 2), ("👍🏽", 2), ("🇪🇪", 2), ("❤️", 2), ("❤", 1),
            ("a\u{200B}b", 2), ("e\u{301}\u{323}", 1), ("…", 1), ("─", 1), ("Ω", 1), ("שלום", 4), ("1️⃣", 2),
        ])
    func width(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        "What does not fit ends in an ellipsis, and a wide character is never halved",
        arguments: [
            ("moon", 4, "moon"), ("moon", 5, "moon"), ("moonlight", 5, "moon…"), ("moon", 1, "…"), ("moon", 0, ""),
            ("月の光", 6, "月の光"), ("月の光", 5, "月の…"), ("月の光", 4, "月…"), ("月の光", 2, "…"),
            ("cafe\u{301}s", 5, "cafe\u{301}s"), ("cafe\u{301}s", 4, "caf…"), ("👩‍🚀👩‍🚀", 3, "👩‍🚀…"), ("", 0, ""),
        ])
    func fitting(text: String, columns: Int, expected: String) {
        #expect(text.fitting(columns: columns) == expected)
    }

    @Test(
        "What would steer the terminal is made visible, all else stays",
        arguments: [
            ("plain", "plain"), ("月 é 👩‍🚀", "月 é 👩‍🚀"), ("\u{1B}[2J", "\\u{1B}[2J"), ("a\tb\r\n", "a\\tb\\r\\n"),
            ("\u{9B}m", "\\u{009B}m"), ("\u{7F}", "\\u{7F}"), ("a\u{202E}b", "a\\u{202E}b"), ("\0", "\\0"),
            ("\u{2028}", "\\u{2028}"),
        ])
    func escaping(text: String, expected: String) {
        #expect(text.escapingControls == expected)
    }

    @Test("A frame places and clears each row, wraps none, and clears what is below")
    func frame() {
        let frame = Frame(rows: ["one", "two", "three"], size: Size(columns: 4, rows: 2), styled: false)
        #expect(frame.text == "\u{1B}[?7l\u{1B}[1;1H\u{1B}[2Kone\u{1B}[2;1H\u{1B}[2Ktwo\u{1B}[?7h")
        let short = Frame(rows: ["moonlight"], size: Size(columns: 4, rows: 2), styled: false)
        #expect(short.text == "\u{1B}[?7l\u{1B}[1;1H\u{1B}[2Kmoo…\u{1B}[2;1H\u{1B}[J\u{1B}[?7h")
    }

    @Test("Pieces of a row are cut together")
    func row() {
        let row = "ab" + Row("cd", .accent) + Row("e\u{1B}", .dim)
        #expect(row.text == "abcde\\u{1B}")
        #expect(row.columns == 11)
        #expect(row.rendered(columns: 3, styled: false) == "ab…")
        #expect(row.rendered(columns: 4, styled: false) == "abc…")
        #expect(row.rendered(columns: 4, styled: true) == "ab\u{1B}[1;36mc…\u{1B}[0m")
    }
}

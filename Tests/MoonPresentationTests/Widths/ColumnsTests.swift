import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widths: the columns of a text")
struct ColumnsTests {
    @Test(
        "Characters have the widths of Unicode's data",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한", 2),
            ("\u{1112}\u{1161}\u{11AB}", 2),
            ("─│█", 3), ("α", 1), ("…", 1), ("\u{AD}", 1),
        ])
    func scalars(text: String, columns: Int) { expectEqual(text.columns, columns) }

    @Test(
        "An emoji is one wide character, however many code points it has",
        arguments: [
            "😀", "👍🏽", "👩‍👩‍👧", "🇩🇪", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "❤️", "#️⃣", "👩🏽‍❤️‍💋‍👨🏿",
        ])
    func emoji(text: String) {
        expectEqual(text.columns, 2)
        expectEqual(("a" + text + "b").columns, 4)
    }

    @Test("A text of many flags is measured in linear time", .timeLimit(.minutes(1)))
    func flags() {
        let count = 200_000
        let text = String(repeating: "🇩🇪", count: count)
        expectEqual(text.columns, 2 * count)
        expectEqual(TextRows(text, width: count).ranges.count, 2)
    }

    @Test("A variation selector widens only the character before it, and only if Unicode lists that one")
    func variation() {
        expect("❤".columns == 1 && "❤\u{FE0F}".columns == 2 && "❤\u{FE0E}".columns == 1)
        expectEqual("a\u{FE0F}".columns, 1)
        expectEqual("😀\u{FE0E}".columns, 2)
        expect("❤\u{301}\u{FE0F}".columns == 2 && "❤\u{FE0E}\u{FE0F}".columns == 1)
    }

    @Test("Spacing marks and conjuncts of Hindi take a cell each, two cells at most")
    func hindi() {
        expect("क".columns == 1 && "कि".columns == 2 && "क्".columns == 1)
        expect("क्ष".columns == 2 && "क्षि".columns == 2 && "क्\u{200D}ष".columns == 2)
        expectEqual("हिन्दी".columns, 4)
    }

    @Test("A control character takes the cell of its picture, and an invisible character takes none")
    func controls() {
        expect("\u{1B}[2J".columns == 4 && "\u{7F}".columns == 1 && "\u{9B}".columns == 1 && "\r\n".columns == 1)
        expect("\u{202E}abc".columns == 4 && "\u{2028}".columns == 1)
        expect("a\u{200B}b\u{FEFF}c".columns == 3 && "\u{200D}".columns == 0 && "\u{FE0F}".columns == 0)
        expect("\u{301}".columns == 1 && "\u{3164}".columns == 0)
    }

    @Test("A tab extends to the next multiple of 8 columns")
    func tabulator() {
        expect("\t".columns == 8 && "a\tb".columns == 9 && "1234567\t".columns == 8 && "12345678\t".columns == 16)
        expectEqual("日\t|".columns, 9)
    }

    @Test("A slice has the width of a string of its characters")
    func slices() {
        let text = "a日e\u{301}👩‍👩‍👧\tz and more than fits into a small string"
        for start in text.indices {
            for end in text.indices where start <= end {
                expectEqual(text[start..<end].columns, String(text[start..<end]).columns)
            }
        }
    }

    @Test("The fast search finds the same characters as Swift")
    func characters() {
        // Every pair and triple of these is tested: simple characters, and those that join them.
        let pieces = [
            "a", "é", "\u{301}", "日", "한", "\u{1161}", "क", "\u{94D}", "ि", "👩", "\u{200D}", "🇩", "❤", "\u{FE0F}", "ำ", "ｶ",
            "\u{FF9E}", "\u{600}",
            " ", "\u{1F3FD}", "\u{200B}", "ᄒ", "#", "\u{20E3}",
        ]
        for one in pieces {
            for two in pieces {
                for three in Budget.sample(pieces, least: 2) {
                    let text = one + two + three
                    expectEqual(text.columns, text.reduce(0) { $0 + String($1).columns }, "\(text.unicodeScalars.map(\.value))")
                }
            }
        }
    }
}

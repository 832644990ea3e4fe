import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("TextRows: rows of text that is edited")
struct TextRowsTests {
    private func rows(_ text: String, _ width: Int) -> [String] {
        TextRows(text, width: width).ranges.map { String(text.utf8Slice($0)) }
    }

    @Test("Lines are wrapped behind blanks, and within words that are too long")
    func wrapping() {
        expectEqual(rows("one two three", 8), ["one two ", "three"])
        expectEqual(rows("abcdefgh", 3), ["abc", "def", "gh"])
        expectEqual(rows("a bcdefgh", 4), ["a ", "bcde", "fgh"])
        expectEqual(rows("", 4), [""])
        expectEqual(rows("one\n\ntwo\n", 9), ["one", "", "two", ""])
        expectEqual(rows("日本語", 3), ["日", "本", "語"])
        expectEqual(rows("日本", 1), ["日", "本"])
        expectEqual(rows("ab", 0), ["a", "b"])
        expectEqual(rows("a\tb", 20), ["a\tb"])
        expectEqual(rows("abc\td", 8), ["abc\t", "d"])
    }

    @Test("A tab in a wrapped row extends to a tab stop of that row")
    func tabs() {
        expectEqual(rows("aaaaaaaaaaaaaa\tbbbb", 10), ["aaaaaaaaaa", "aaaa\t", "bbbb"])
        expectEqual(rows("aaaaaaaaaaaaaa\tbb", 10), ["aaaaaaaaaa", "aaaa\tbb"])
    }

    @Test("Generated: rows leave out nothing but line breaks, at any width", arguments: Budget.seeds(300, least: 30))
    func complete(seed: Int) {
        var random = Dice(seed: seed)
        let text = (0..<Int.random(in: 0...40, using: &random))
            .map { _ in ["a", " ", "日", "\n", "é", "👩‍👩‍👧", "\t"].randomElement(using: &random) ?? "" }.joined()
        let width = Int.random(in: 1...12, using: &random)
        let ranges = TextRows(text, width: width).ranges
        expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == text.utf8.count)
        for (one, next) in zip(ranges, ranges.dropFirst()) {
            let gap = String(text.utf8Slice(one.upperBound..<next.lowerBound))
            expect(gap == "" || gap == "\n")
            expect(one.upperBound <= next.lowerBound)
        }
    }

    @Test("A place between two rows of a line is at the beginning of the second one")
    func places() {
        let text = "abcdef"
        let rows = TextRows(text, width: 3)
        expect(rows.row(of: 2) == 0 && rows.row(of: 3) == 1 && rows.row(of: 6) == 1)
        expect(rows.column(of: 3, in: text) == 0 && rows.column(of: 5, in: text) == 2)
        // The end of the first row cannot be reached in it.
        expectEqual(rows.offset(row: 0, column: 9, in: text), 2)
        expectEqual(rows.offset(row: 1, column: 9, in: text), 6)
        expectEqual(rows.offset(row: 1, column: 1, in: text), 4)
    }

    @Test("A column within a wide character is that character's beginning")
    func wide() {
        expectEqual(TextRows.offset(of: 1, in: "日本"), 0)
        expectEqual(TextRows.offset(of: 2, in: "日本"), 3)
        expectEqual(TextRows.offset(of: -1, in: "日本"), 0)
    }
}

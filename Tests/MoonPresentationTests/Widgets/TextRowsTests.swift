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

    @Test("Generated: no row is wider than the area, unless it is a single character", arguments: Budget.seeds(2_000, least: 300))
    func fitting(seed: Int) {
        var random = Dice(seed: seed)
        let text = (0..<Int.random(in: 0...40, using: &random))
            .map { _ in ["a", "bc", " ", "日", "\n", "é", "👩‍👩‍👧", "\t"].randomElement(using: &random) ?? "" }.joined()
        let width = Int.random(in: 1...24, using: &random)
        let rows = rows(text, width)
        for row in rows { expect(row.columns <= width || row.count == 1, "\(row.debugDescription) of \(rows) in \(width)") }
    }

    @Test("A tabulator is as wide as its place in the row requires, and not its place in the line")
    func tabulators() {
        expectEqual(rows("xxxxx yyyyyyyy\tz", 12), ["xxxxx ", "yyyyyyyy", "\tz"])
        expectEqual(rows("xxxxx yyyyyyyy\tz", 16), ["xxxxx yyyyyyyy\t", "z"])
        expectEqual(rows("xxxxx yyyyyyyy\tz", 15), ["xxxxx ", "yyyyyyyy", "\tz"])
        expectEqual(rows("abc\td", 6), ["abc", "\t", "d"])
    }

    @Test("A word behind a blank is wrapped again if it does not fit on its own row")
    func wrappedTwice() {
        expectEqual(rows(" abc日", 4), [" ", "abc", "日"])
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

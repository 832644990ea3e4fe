import Testing

@testable import MoonPresentation

@Suite("Presentation: frames as lines of plain text")
struct LineWriterTests {
    private func frame(_ rows: String..., cursor: Int? = nil) -> Canvas {
        var canvas = Canvas(size: Size(columns: 20, rows: rows.count))
        for (index, row) in rows.enumerated() { canvas.write(row, at: Point(column: 0, row: index), style: .bold) }
        canvas.cursor = cursor.map { Point(column: 0, row: $0) }
        return canvas
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("changes are written as lines, without what is drawn around them")
    func changes() {
        var writer = LineWriter(.changes)
        #expect(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ two  │", "└──────┘"))) == "one\ntwo\n")
        #expect(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ two  │", "└──────┘"))) == "")
        #expect(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ 2 👩‍👩‍👧 │", "└──────┘"))) == "2 👩‍👩‍👧\n")
        #expect(text(writer.bytes(for: frame("two", "one", "", "4"))) == "two\n4\n")
        #expect(text(writer.end()) == "")
    }

    @Test("the line with the cursor comes last, also if only the cursor moved there")
    func cursor() {
        var writer = LineWriter(.changes)
        #expect(text(writer.bytes(for: frame("one", "two", cursor: 0))) == "two\none\n")
        #expect(text(writer.bytes(for: frame("one", "two", cursor: 1))) == "two\n")
        #expect(text(writer.bytes(for: frame("one", "two", cursor: 1))) == "")
        #expect(text(writer.bytes(for: frame("one", "two", cursor: 9))) == "")
        #expect(text(writer.bytes(for: frame("one", "", cursor: 1))) == "")
    }

    @Test("of a selection that moves, the row that has it is written, and not the one that has lost it")
    func marker() {
        var writer = LineWriter(.changes)
        #expect(text(writer.bytes(for: frame("> one", "  two", "  three"))) == "> one\ntwo\nthree\n")
        #expect(text(writer.bytes(for: frame("  one", "> two", "  three"))) == "> two\n")
        #expect(text(writer.bytes(for: frame("> one", "  two", "  three"))) == "> one\n")
        // What stands behind a number, a letter or no blank is no row with a marker.
        #expect(text(writer.bytes(for: frame("1 four", "-five", "a six"))) == "1 four\n-five\na six\n")
        #expect(text(writer.bytes(for: frame("four", "five", "six"))) == "four\nfive\nsix\n")
    }

    @Test("a pipe gets the last frame, and the lines that were committed before it")
    func last() {
        var writer = LineWriter(.last)
        #expect(
            text(writer.bytes(for: frame("", "one"), committing: ["a\u{1B}[2Jb\n日", StyledText("c", .bold)])) == "a␛[2Jb\n日\nc\n")
        #expect(text(writer.bytes(for: frame("", "  two", "", "three │", ""))) == "")
        #expect(text(writer.end()) == "  two\n\nthree │\n")
        #expect(text(writer.end()) == "")
    }

    @Test("nothing is a frame, too")
    func nothing() {
        for policy in [LineWriter.Policy.changes, .last] {
            var writer = LineWriter(policy)
            #expect(writer.bytes(for: Canvas(size: .zero)).isEmpty && writer.end().isEmpty)
        }
    }
}

import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Output: frames as lines of plain text")
struct LineWriterTests {
    private func frame(_ rows: String..., cursor: Int? = nil) -> Canvas {
        var canvas = Canvas(size: Size(columns: 20, rows: rows.count))
        for (index, row) in rows.enumerated() { canvas.write(row, at: Point(column: 0, row: index), style: .bold) }
        canvas.cursor = cursor.map { Point(column: 0, row: $0) }
        return canvas
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("Changes are written as lines, without the borders drawn around them")
    func changes() {
        var writer = LineWriter(.changes)
        expectEqual(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ two  │", "└──────┘"))), "one\r\ntwo\r\n")
        expectEqual(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ two  │", "└──────┘"))), "")
        expectEqual(text(writer.bytes(for: frame("┌──────┐", "│ one  │", "│ 2 👩‍👩‍👧 │", "└──────┘"))), "2 👩‍👩‍👧\r\n")
        expectEqual(text(writer.bytes(for: frame("two", "one", "", "4"))), "two\r\n4\r\n")
        expectEqual(text(writer.end()), "")
    }

    @Test("The line with the cursor is written last, also if only the cursor moved there")
    func cursor() {
        var writer = LineWriter(.changes)
        expectEqual(text(writer.bytes(for: frame("one", "two", cursor: 0))), "two\r\none\r\n")
        expectEqual(text(writer.bytes(for: frame("one", "two", cursor: 1))), "two\r\n")
        expectEqual(text(writer.bytes(for: frame("one", "two", cursor: 1))), "")
        expectEqual(text(writer.bytes(for: frame("one", "two", cursor: 9))), "")
        expectEqual(text(writer.bytes(for: frame("one", "", cursor: 1))), "")
    }

    @Test("The row that becomes selected is written, and the one that was selected is not")
    func marker() {
        var writer = LineWriter(.changes)
        expectEqual(text(writer.bytes(for: frame("> one", "  two", "  three"))), "> one\r\ntwo\r\nthree\r\n")
        expectEqual(text(writer.bytes(for: frame("  one", "> two", "  three"))), "> two\r\n")
        expectEqual(text(writer.bytes(for: frame("> one", "  two", "  three"))), "> one\r\n")
        // A row has a marker only if neither a letter nor a number, and then a blank, begins it.
        expectEqual(text(writer.bytes(for: frame("1 four", "-five", "a six"))), "1 four\r\n-five\r\na six\r\n")
        expectEqual(text(writer.bytes(for: frame("four", "five", "six"))), "four\r\nfive\r\nsix\r\n")
    }

    @Test("A pipe gets the last frame, and the lines that were committed before it")
    func last() {
        var writer = LineWriter(.last)
        expectEqual(
            text(writer.bytes(for: frame("", "one"), committing: ["a\u{1B}[2Jb\n日", StyledText("c", .bold)])), "a␛[2Jb\n日\nc\n")
        expectEqual(text(writer.bytes(for: frame("", "  two", "", "three │", ""))), "")
        expectEqual(text(writer.end()), "  two\n\nthree │\n")
        expectEqual(text(writer.end()), "")
    }

    @Test("An empty frame is written as nothing")
    func nothing() {
        for policy in [LineWriter.Policy.changes, .last] {
            var writer = LineWriter(policy)
            expect(writer.bytes(for: Canvas(size: .zero)).isEmpty && writer.end().isEmpty)
        }
    }
}

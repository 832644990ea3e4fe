import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Canvas: text, fills and styles")
struct CanvasTests {
    private func canvas(_ columns: Int, _ rows: Int = 1) -> Canvas { Canvas(size: Size(columns: columns, rows: rows)) }
    private func row(_ canvas: Canvas, _ row: Int = 0) -> [String] {
        (0..<canvas.size.columns).map { canvas.text(at: Point(column: $0, row: row)) ?? "?" }
    }

    @Test("Text is drawn at its position, with its style")
    func write() {
        var canvas = canvas(6, 2)
        expectEqual(canvas.write("ab", at: Point(column: 2, row: 1), style: .bold), 2)
        expect(row(canvas) == [" ", " ", " ", " ", " ", " "] && row(canvas, 1) == [" ", " ", "a", "b", " ", " "])
        expect(canvas.style(at: Point(column: 2, row: 1)) == .bold && canvas.style(at: Point(column: 4, row: 1)) == .plain)
        expect(canvas.text(at: Point(column: 6, row: 1)) == nil && canvas.text(at: Point(column: 0, row: -1)) == nil)
    }

    @Test("Text is cut at both edges of the canvas and of its clip")
    func clip() {
        var canvas = canvas(5)
        expectEqual(canvas.write("abcdefgh", at: Point(column: -2, row: 0)), 7)
        expectEqual(row(canvas).joined(), "cdefg")
        expectEqual(canvas.write("12345", at: Point(column: 0, row: 0), clip: Rect(column: 1, row: 0, columns: 2, rows: 1)), 3)
        expectEqual(row(canvas).joined(), "c23fg")
        expectEqual(canvas.write("x", at: Point(column: 9, row: 0)), 0)
        expect(canvas.write("x", at: Point(column: 5, row: 0)) == 0 && canvas.write("x", at: Point(column: 0, row: 1)) == 0)
        expectEqual(canvas.write("x", at: .zero, clip: Rect(column: 0, row: 1, columns: 5, rows: 1)), 0)
        expectEqual(row(canvas).joined(), "c23fg")
    }

    @Test("ASCII text is cut and combined as any other text")
    func ascii() {
        var canvas = canvas(4)
        expectEqual(canvas.write("abcd\u{301}", at: .zero), 4)
        expectEqual(row(canvas), ["a", "b", "c", "d\u{301}"])
        expect(canvas.write("ab~\u{7F}x", at: Point(column: -1, row: 0)) == 5 && row(canvas).joined() == "b~␡x")
        expect(canvas.write("abcdefgh\u{301}", at: Point(column: -9, row: 0)) == 8 && row(canvas).joined() == "b~␡x")
        expectEqual(canvas.write("xy", at: Point(column: 1, row: 0), clip: Rect(column: 2, row: 0, columns: 2, rows: 1)), 2)
        expect(row(canvas).joined() == "b~yx" && canvas.write("x", at: Point(column: .min, row: 0)) == 1)
    }

    @Test("A wide character takes two cells, and is a blank where an edge cuts it")
    func wide() {
        var canvas = canvas(5)
        expectEqual(canvas.write("日本語", at: .zero, style: .bold), 5)
        expectEqual(row(canvas), ["日", "", "本", "", " "])
        expect(canvas.style(at: Point(column: 1, row: 0)) == .bold && canvas.style(at: Point(column: 4, row: 0)) == .bold)
        canvas.write("日本語", at: Point(column: -1, row: 0))
        expectEqual(row(canvas), [" ", "本", "", "語", ""])
    }

    @Test("A wide character whose half is overwritten becomes a blank")
    func halves() {
        var first = canvas(6)
        first.write("日本語", at: .zero)
        var (second, both) = (first, first)
        first.write("x", at: Point(column: 2, row: 0))
        expectEqual(row(first), ["日", "", "x", " ", "語", ""])
        second.write("x", at: Point(column: 3, row: 0))
        expectEqual(row(second), ["日", "", " ", "x", "語", ""])
        both.write("한", at: Point(column: 1, row: 0))
        expectEqual(row(both), [" ", "한", "", " ", "語", ""])
    }

    @Test("Half of a wide character at the edge of a clip becomes a blank")
    func clippedHalves() {
        var canvas = canvas(6)
        canvas.write("日本語", at: .zero)
        canvas.write("abcdef", at: .zero, clip: Rect(column: 1, row: 0, columns: 2, rows: 1))
        expectEqual(row(canvas), [" ", "b", "c", " ", "語", ""])
        canvas.write("", at: Point(column: 5, row: 0))
        expectEqual(row(canvas), [" ", "b", "c", " ", "語", ""])
    }

    @Test("Control characters are drawn as symbols, so that text cannot control the terminal")
    func sanitized() {
        var canvas = canvas(30)
        canvas.write("\u{1B}[2J\u{07}\u{7F}\u{9B}\r\n\u{202E}\u{2069}", at: .zero)
        expect(row(canvas).joined().hasPrefix("␛[2J␇␡\u{FFFD}␤\u{FFFD}\u{FFFD} "))
    }

    @Test("Each line break within a row is drawn as the same symbol", arguments: ["\n", "\r\n", "\u{2028}", "\u{2029}"])
    func lineBreaks(_ text: String) {
        var canvas = canvas(3)
        canvas.write("a" + text + "b", at: .zero)
        expectEqual(row(canvas), ["a", "␤", "b"])
    }

    @Test("A combining mark without a base is drawn on a circle, and an invisible character is omitted")
    func marks() {
        var canvas = canvas(6)
        canvas.write("\u{301}a\u{200B}b\u{FEFF}", at: .zero)
        expectEqual(row(canvas), ["\u{25CC}\u{301}", "a", "b", " ", " ", " "])
        canvas.write("\u{1F3FD}\u{301}\u{1F3FD}", at: Point(column: 3, row: 0))
        expectEqual(row(canvas).dropFirst(3), ["\u{25CC}\u{1F3FD}\u{301}\u{1F3FD}", " ", " "])
        canvas.write("\u{1F3FD}", at: Point(column: 3, row: 0))
        expectEqual(row(canvas).dropFirst(3), ["\u{1F3FD}", "", " "])
        // A mark at the beginning of a text does not change the character before it.
        canvas.write("\u{308}", at: Point(column: 2, row: 0))
        expect(row(canvas)[1] == "a" && row(canvas)[2] == "\u{25CC}\u{308}")
    }

    @Test("A joiner at the end of a character is not sent, as it would join the next character")
    func joiners() {
        var canvas = canvas(8)
        canvas.write("👩\u{200D}\u{200D}a👩\u{200D}👩", at: .zero)
        expectEqual(row(canvas), ["👩", "", "a", "👩\u{200D}👩", "", " ", " ", " "])
    }

    @Test("A cluster on a canvas has at most 16 code points")
    func zalgo() {
        var canvas = canvas(3)
        canvas.write("a" + String(repeating: "\u{301}", count: 10_000) + "b", at: .zero)
        expect(row(canvas)[0].unicodeScalars.count == 16 && row(canvas)[1] == "b")
    }

    @Test("A tab becomes blanks up to the next tab stop")
    func tabulator() {
        var canvas = canvas(12)
        expectEqual(canvas.write("ab\tc", at: Point(column: 1, row: 0), style: .inverse), 9)
        expect(row(canvas).joined() == " ab      c  " && canvas.style(at: Point(column: 8, row: 0)) == .inverse)
        expectEqual(canvas.write("\t\t", at: Point(column: -10, row: 0)), 16)
    }

    @Test("Styled text is written run by run, side by side")
    func styled() {
        var canvas = canvas(8)
        let text = StyledText("日", .bold) + "x" + StyledText("y", Style(link: "https://example.com"))
        expectEqual(canvas.write(text, at: Point(column: 1, row: 0)), 4)
        expect(row(canvas).joined() == " 日xy   " && canvas.style(at: Point(column: 1, row: 0)) == .bold)
        expectEqual(canvas.style(at: Point(column: 4, row: 0)).link, "https://example.com")
    }

    @Test("Many cells of two links that differ only in their code points need two links")
    func alternatingLinks() {
        var canvas = canvas(100)
        for column in 0..<100 {
            let link = column.isMultiple(of: 2) ? "caf\u{e9}" : "cafe\u{301}"
            canvas.write("x", at: Point(column: column, row: 0), style: Style(link: link))
        }
        expectEqual(canvas.pool.links.count, 2)
    }

    @Test("Links that differ only in their code points stay apart")
    func links() {
        let links = ["https://a.example/caf\u{e9}", "https://a.example/cafe\u{301}"]
        var canvas = canvas(2)
        for (column, link) in links.enumerated() {
            canvas.write("x", at: Point(column: column, row: 0), style: Style(link: link))
        }
        for (column, link) in links.enumerated() {
            let found = canvas.style(at: Point(column: column, row: 0)).link ?? ""
            expect(found.utf8.elementsEqual(link.utf8), "\(column)")
        }
    }

    @Test("A fill covers a rectangle, and blanks the wide characters at its edges")
    func fill() {
        var canvas = canvas(6, 3)
        for line in 0..<3 { canvas.write("日本語", at: Point(column: 0, row: line)) }
        canvas.fill(Rect(column: 1, row: 1, columns: 2, rows: 9), with: "x", style: .bold)
        expectEqual(row(canvas, 0), ["日", "", "本", "", "語", ""])
        for line in 1..<3 { expectEqual(row(canvas, line), [" ", "x", "x", " ", "語", ""]) }
        expect(canvas.style(at: Point(column: 1, row: 2)) == .bold && canvas.style(at: Point(column: 0, row: 2)) == .plain)
        canvas.fill(Rect(column: 0, row: 0, columns: 3, rows: 1), with: "한")
        expectEqual(row(canvas, 0), ["한", "", " ", " ", "語", ""])
        canvas.fill(Rect(column: 9, row: 0, columns: 3, rows: 1), with: "z")
        canvas.fill(Rect(column: 0, row: 0, columns: 1, rows: 1), with: "\u{200B}")
        expectEqual(row(canvas, 0), [" ", " ", " ", " ", "語", ""])
    }

    @Test("A change of style applies to whole characters")
    func restyle() {
        var canvas = canvas(6)
        canvas.write("a日本b", at: .zero)
        canvas.restyle(Rect(column: 2, row: 0, columns: 2, rows: 1)) { $0.attributes.insert(.inverse) }
        let inverse = (0..<6).map { canvas.style(at: Point(column: $0, row: 0)) == .inverse }
        expectEqual(inverse, [false, true, true, true, true, false])
        expectEqual(row(canvas).joined(), "a日本b")
    }

    @Test("Canvases are equal if they look the same, even after different drawings")
    func equality() {
        var (one, two) = (canvas(4), canvas(4))
        expectEqual(one, two)
        two.write("👩‍👩‍👧", at: .zero, style: Style(link: "https://a.example"))
        two.write("👍🏽❤️", at: .zero, style: Style(link: "https://b.example"))
        one.write("👍🏽❤️", at: .zero, style: Style(link: "https://b.example"))
        expectEqual(one, two)
        two.cursor = .zero
        expect(one != two)
        two.cursor = nil
        two.write("❤️", at: .zero, style: Style(link: "https://b.example"))
        expect(one != two && canvas(4) != canvas(5) && canvas(2, 3) != canvas(3, 2))
    }

    @Test("Reset empties a canvas for the next frame")
    func reset() {
        var canvas = canvas(4)
        canvas.write("👩‍👩‍👧", at: .zero, style: Style(link: "x"))
        canvas.cursor = .zero
        canvas.reset(size: Size(columns: 4, rows: 1))
        expect(canvas == Canvas(size: Size(columns: 4, rows: 1)) && canvas.pool.isEmpty)
        canvas.reset(size: Size(columns: 2, rows: 3))
        expect(canvas == Canvas(size: Size(columns: 2, rows: 3)) && canvas.cells.count == 6)
    }

    @Test("The size of a canvas is limited, and drawing on an empty canvas does nothing")
    func sizes() {
        expectEqual(Canvas(size: Size(columns: .max, rows: .max)).size, Canvas.limit)
        var empty = canvas(0, 0)
        expectEqual(empty.write("x", at: .zero), 0)
        empty.fill(Rect(column: 0, row: 0, columns: 1, rows: 1), with: "x")
        empty.restyle(empty.bounds) { $0 = .bold }
        expectEqual(empty, canvas(0, 0))
    }
}

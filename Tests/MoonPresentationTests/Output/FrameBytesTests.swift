import MoonlightTestSupport
import Testing

@testable import MoonPresentation

/// The number of bytes of a change, on a terminal with all colors.
@Suite("Output: the number of bytes that a change takes")
struct FrameBytesTests {
    /// A list of 1,000 rows above a line of text or a field, as `Benchmarks/terminal` measures it.
    private struct Rows {
        var presentation = Presentation<ListMove>()
        var writer = FrameWriter(capabilities: .init())
        var look = SelectionLook.marker
        var hasField = false
        var selected = 0

        /// Selects a row, and returns the bytes that show it.
        mutating func select(_ row: Int) -> String {
            selected = row
            let (look, hasField) = (look, hasField)
            let frame = presentation.frame(Size(columns: 80, rows: 24)) { screen in
                let list = screen.add(List((0..<1_000).map { "row \($0)" }, selected: row, look: look, select: { $0 }))
                let line =
                    if hasField { screen.add(Field("a note", edit: { _ in .up })) } else { screen.add(Text("")) }
                list.constrain(.all(except: .bottom), to: screen)
                list.constrain(.bottom, to: line, edge: .top)
                line.constrain(.all(except: .top), to: screen)
                line.constrain(.height, constant: 1)
            }
            return String(decoding: writer.bytes(for: frame), as: UTF8.self)
        }
    }

    @Test(
        "A move of a selection takes at most 30 bytes, up and down, also while a field has the focus", arguments: [false, true])
    func moves(hasField: Bool) {
        var rows = Rows(hasField: hasField)
        _ = rows.select(0)
        for row in [1, 2, 3, 10, 9, 8, 22, 21] {
            let bytes = rows.select(row)
            expect(bytes.utf8.count <= 30, "\(row): \(bytes.debugDescription)")
        }
    }

    @Test("A move that scrolls takes at most 60 bytes, up and down, also while a field has the focus", arguments: [false, true])
    func scrolls(hasField: Bool) {
        var rows = Rows(hasField: hasField)
        _ = rows.select(22)
        for row in 23..<40 {
            let bytes = rows.select(row)
            expect(bytes.utf8.count <= 60, "\(row): \(bytes.debugDescription)")
        }
        _ = rows.select(17)
        for row in (3...16).reversed() {
            let bytes = rows.select(row)
            expect(bytes.utf8.count <= 60, "\(row): \(bytes.debugDescription)")
        }
    }

    @Test("One cell at 120 x 40 takes at most 34 bytes, wherever it is and whatever color its character gets")
    func cell() {
        var writer = FrameWriter(capabilities: TerminalCapabilities(colors: .rgb, hyperlinks: false))
        var canvas = Canvas(size: Size(columns: 120, rows: 40))
        for row in 0..<40 { canvas.write(String(repeating: "text ", count: 24), at: Point(column: 0, row: row)) }
        _ = writer.bytes(for: canvas)
        var numbers = Dice(seed: Budget.seed)
        let styles: [Style] = [
            .plain, .bold, .inverse, Style(foreground: .red), Style(foreground: .palette(200)), Style(background: .palette(255)),
            Style(foreground: .rgb(255, 200, 100)), Style(background: .rgb(255, 254, 253)),
        ]
        var longest = ""
        for _ in 0..<Budget.rounds(2_000, least: 500) {
            let place = Point(column: numbers.roll(120), row: numbers.roll(40))
            canvas.write(["x", "#", "é", "─"][numbers.roll(4)], at: place, style: styles[numbers.roll(8)])
            let bytes = String(decoding: writer.bytes(for: canvas), as: UTF8.self)
            if bytes.utf8.count > longest.utf8.count { longest = bytes }
        }
        expect(longest.utf8.count <= 34, "MOONLIGHT_SEED=\(Budget.seed): \(longest.debugDescription)")
        expect(longest.utf8.count > 20, "MOONLIGHT_SEED=\(Budget.seed)")
    }

    @Test("A frame that is the same takes no bytes, also with clusters, links and a cursor")
    func same() {
        var writer = FrameWriter(capabilities: .init(synchronizedOutput: true))
        var canvas = Canvas(size: Size(columns: 20, rows: 3))
        func draw() {
            canvas.reset(size: canvas.size)
            canvas.write("👩‍👩‍👧 ", at: Point(column: 1, row: 0), style: Style(link: "https://example.com"))
            canvas.cursor = Point(column: 3, row: 2)
        }
        draw()
        expect(!writer.bytes(for: canvas).isEmpty)
        draw()
        expect(writer.bytes(for: canvas).isEmpty)
        canvas.cursor = Point(column: 4, row: 2)
        expect(!writer.bytes(for: canvas).isEmpty)
        expect(writer.bytes(for: canvas).isEmpty)
        // A cluster of another number in the pool is the same cluster.
        var other = Canvas(size: canvas.size)
        other.write("e\u{301}", at: Point(column: 1, row: 0))
        other.write("👩‍👩‍👧 ", at: Point(column: 1, row: 0), style: Style(link: "https://example.com"))
        other.cursor = canvas.cursor
        expect(writer.bytes(for: other).isEmpty)
    }
}

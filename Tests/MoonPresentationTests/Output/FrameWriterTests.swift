import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Output: the bytes of a frame")
struct FrameWriterTests {
    private let size = Size(columns: 80, rows: 24)

    private func list(from first: Int, selected: Int, rows: Int = 22) -> Canvas {
        var canvas = Canvas(size: size)
        for row in 0..<rows {
            canvas.write("\(first + row == selected ? ">" : " ") item \(first + row)", at: Point(column: 0, row: row))
        }
        canvas.write("help", at: Point(column: 0, row: 23), style: .dim)
        return canvas
    }

    private func bytes(_ frames: [Canvas], _ capabilities: TerminalCapabilities = .init(synchronizedOutput: true)) -> [String] {
        var writer = FrameWriter(capabilities: capabilities)
        return frames.map { String(decoding: writer.bytes(for: $0), as: UTF8.self) }
    }

    @Test("A move in a list takes at most 30 bytes")
    func move() {
        let written = bytes([list(from: 0, selected: 5), list(from: 0, selected: 6), list(from: 0, selected: 5)])
        expect(written[1] == "\u{1B}[6H \r\n\u{1B}[m>" && written[2].utf8.count <= 30)
    }

    @Test("A scroll of one row takes at most 60 bytes, and is done by the terminal")
    func scroll() {
        let written = bytes([list(from: 0, selected: 21), list(from: 1, selected: 22), list(from: 0, selected: 0)])
        expect(written[1].contains("r\u{1B}[S\u{1B}[r") && written[1].utf8.count <= 60, "\(written[1].debugDescription)")
        expect(written[2].contains("r\u{1B}[T\u{1B}[r") && written[2].utf8.count <= 60, "\(written[2].debugDescription)")
    }

    @Test("The whole screen is scrolled without margins")
    func wholeScreen() {
        let written = bytes(
            [0, 2].map { first in
                var canvas = Canvas(size: size)
                for row in 0..<24 { canvas.write("row \(first + row) of text", at: Point(column: 0, row: row)) }
                return canvas
            })
        expect(written[1].hasPrefix("\u{1B}[2S"))
    }

    @Test("One cell at 120 x 40 takes at most 34 bytes")
    func oneCell() {
        var canvas = Canvas(size: Size(columns: 120, rows: 40))
        canvas.cursor = Point(column: 3, row: 2)
        let before = canvas
        canvas.write("x", at: Point(column: 119, row: 39), style: Style(foreground: .rgb(200, 100, 50)))
        expect(bytes([before, canvas], .init(colors: .rgb, synchronizedOutput: true))[1].utf8.count <= 34)
    }

    @Test("The first cell after a change of the size is written in its style, even if the last one before had the same")
    func styleAfterResize() {
        let written = bytes(
            [8, 9].map { columns in
                var canvas = Canvas(size: Size(columns: columns, rows: 1))
                canvas.write("x", at: Point(column: 0, row: 0), style: .bold)
                return canvas
            })
        expect(written[0].hasSuffix("\u{1B}[1mx"))
        expectEqual(written[1], written[0])
    }

    @Test("Long frames are synchronized where the terminal supports it, and short ones are not")
    func synchronized() {
        let frames = [list(from: 0, selected: 1), list(from: 0, selected: 2)]
        let written = bytes(frames)
        expect(written[0].hasPrefix("\u{1B}[?2026h") && written[0].hasSuffix("\u{1B}[?2026l"))
        expect(!written[1].contains("2026") && !bytes(frames, .init())[0].contains("2026"))
    }

    @Test("A visible cursor is hidden while a long frame is written without synchronization")
    func hidden() {
        var (one, two) = (Canvas(size: size), Canvas(size: size))
        one.fill(one.bounds, with: "x")
        two.fill(two.bounds, with: "y")
        one.cursor = .zero
        two.cursor = .zero
        let written = bytes([one, two], .init())
        expect(!written[0].contains("\u{1B}[?25l") && written[0].hasSuffix("\u{1B}[?25h"))
        expect(written[1].hasPrefix("\u{1B}[?25l") && written[1].hasSuffix("\u{1B}[?25h"))
        expect(!bytes([one, two])[1].contains("?25"))
    }

    @Test("The end of a row is erased, not overwritten with blanks")
    func erase() {
        var (one, two) = (Canvas(size: size), Canvas(size: size))
        one.write("a long line of text", at: .zero)
        two.write("a", at: .zero)
        expectEqual(bytes([one, two])[1], "\u{1B}[3G\u{1B}[K")
        two.write("a long line of te", at: .zero)
        expectEqual(bytes([one, two])[1], "\u{8}\u{8}  ")
    }

    @Test("Many blanks within a row are erased at once")
    func blanks() {
        var (one, two) = (Canvas(size: size), Canvas(size: size))
        one.write(String(repeating: "x", count: 40), at: .zero)
        two.write("x" + String(repeating: " ", count: 30) + "yyyyyyyyy", at: .zero)
        expectEqual(bytes([one, two])[1], "\r\u{1B}[C\u{1B}[30X\u{1B}[30Cyyyyyyyyy")
    }

    @Test("A few unchanged cells are rewritten instead of skipped")
    func gaps() {
        var (one, two) = (Canvas(size: size), Canvas(size: size))
        one.write("abcdefghij", at: .zero)
        two.write("Abcdefghij", at: .zero)
        two.write("F", at: Point(column: 5, row: 0))
        expectEqual(bytes([one, two])[1], "\rAbcdeF")
        two.write("f", at: Point(column: 5, row: 0))
        two.write("G", at: Point(column: 6, row: 0))
        expectEqual(bytes([one, two])[1], "\rA\u{1B}[5CG")
    }

    @Test("A row is rewritten from a character of doubtful width on, each part at its column")
    func doubtful() {
        var (one, two) = (Canvas(size: size), Canvas(size: size))
        one.write("ab👩‍👩‍👧cd", at: .zero)
        two.write("ab👩‍👩‍👧ce", at: .zero)
        expectEqual(bytes([one, two])[1], "\u{8}\u{8}\u{8}\u{8}\u{1B}[K👩‍👩‍👧 \u{1B}[5G\u{1B}[Kce")
        expectEqual(bytes([one, two], .init(graphemeClusters: true))[1], "\u{8}e")
    }

    @Test("Characters that a terminal could join are kept apart")
    func joining() {
        var canvas = Canvas(size: size)
        canvas.write("🇩", at: .zero)
        canvas.write("🇪", at: Point(column: 2, row: 0))
        canvas.write("a", at: Point(column: 4, row: 0))
        expect(bytes([canvas], .init(graphemeClusters: true))[0].hasSuffix("🇩\u{1B}[3G🇪a"))
        canvas.reset(size: size)
        canvas.write("a", at: .zero)
        canvas.write("\u{1F3FD}", at: Point(column: 1, row: 0))
        expect(bytes([canvas], .init(graphemeClusters: true))[0].hasSuffix("a\u{1B}[2G\u{1F3FD}"))
    }

    @Test("A combining mark in the last column is written with wrapping, as some terminals would put it onto the previous column")
    func lastColumn() {
        var canvas = Canvas(size: Size(columns: 3, rows: 1))
        canvas.write("e\u{301}ae\u{301}", at: .zero)
        expect(bytes([canvas])[0].hasSuffix("Je\u{301}a\u{1B}[?7he\u{301}\u{1B}[?7l"))
    }

    @Test("The character before a combining mark in the last column is rewritten, because it may have received the mark")
    func doubtfulLastColumn() {
        let frames = ["a\u{301}", "a", "日\u{301}", "日"].map { text in
            var canvas = Canvas(size: Size(columns: 3, rows: 1))
            canvas.write(String(text.prefix(1)).unicodeScalars.first.map(String.init) ?? "", at: .zero)
            if text.unicodeScalars.count > 1 { canvas.write("\u{301}", at: Point(column: 2, row: 0)) }
            return canvas
        }
        let written = bytes(frames)
        // Nothing is before the mark but a blank, which is erased with it.
        expect(written[1].hasSuffix("\u{1B}[K") && !written[1].contains("\u{301}"))
        // The wide character takes the two columns before, and is written as a whole.
        expect(written[3].hasSuffix("\u{1B}[K日") && !written[3].contains("\u{301}"))
    }

    @Test("The cursor is shown, moved and hidden")
    func cursor() {
        let frames = [Point(column: 3, row: 1), Point(column: 4, row: 1), nil, nil].map { cursor in
            var canvas = Canvas(size: size)
            canvas.cursor = cursor
            return canvas
        }
        expectEqual(bytes(frames).dropFirst(), ["\u{1B}[C", "\u{1B}[?25l", ""])
        expect(bytes(frames)[0].hasSuffix("\n\u{1B}[3C\u{1B}[?25h"))
        var outside = Canvas(size: Size(columns: 4, rows: 2))
        outside.cursor = Point(column: 9, row: 9)
        expect(bytes([outside])[0].hasSuffix("\n\u{1B}[3C\u{1B}[?25h"))
    }

    @Test("A frame of another size, and one on a screen with unknown contents, is written whole")
    func whole() {
        var writer = FrameWriter(capabilities: .init())
        var canvas = Canvas(size: size)
        canvas.write("x", at: .zero)
        let first = writer.bytes(for: canvas)
        expect(writer.bytes(for: canvas).isEmpty)
        writer.invalidate()
        expectEqual(writer.bytes(for: canvas), first)
        canvas.reset(size: Size(columns: 10, rows: 2))
        expectEqual(String(decoding: writer.bytes(for: canvas), as: UTF8.self), "\u{1B}[m\u{1B}[H\u{1B}[J")
    }

    @Test("A frame is redrawn if the colors or links of its terminal change, and not for other capabilities")
    func capabilities() {
        var writer = FrameWriter(capabilities: .init())
        let canvas = list(from: 0, selected: 1)
        _ = writer.bytes(for: canvas)
        writer.capabilities.synchronizedOutput = true
        expect(writer.bytes(for: canvas).isEmpty)
        writer.capabilities.colors = .rgb
        expect(!writer.bytes(for: canvas).isEmpty)
        writer.capabilities.hyperlinks = false
        expect(!writer.bytes(for: canvas).isEmpty)
    }

    @Test("The modes of the screen are pushed and popped")
    func modes() {
        var emulator = Emulator(size: Size(columns: 10, rows: 3))
        emulator.feed("before".utf8)
        var writer = FrameWriter(capabilities: .init())
        emulator.feed(writer.enter())
        expect(emulator.modes == [1049, 2027] && emulator.text == ["", "", ""])
        emulator.feed(writer.bytes(for: list(from: 0, selected: 1)))
        emulator.feed(UnsafeBufferPointer(start: FrameWriter.leave.utf8Start, count: FrameWriter.leave.utf8CodeUnitCount))
        expect(emulator.modes == [7, 25] && emulator.text == ["before", "", ""] && emulator.pen == Emulator.Pen())
        expect(emulator.unknown.isEmpty)
    }
}

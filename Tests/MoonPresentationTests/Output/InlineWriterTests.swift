import FramesTool
import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Output: frames without the alternate screen")
struct InlineWriterTests {
    private let size = Size(columns: 20, rows: 6)

    private func frame(_ rows: String..., columns: Int = 20) -> Canvas {
        var canvas = Canvas(size: Size(columns: columns, rows: rows.count))
        for (index, row) in rows.enumerated() { canvas.write(row, at: Point(column: 0, row: index)) }
        return canvas
    }

    private func started() -> (Emulator, InlineWriter) {
        var emulator = Emulator(size: size)
        emulator.feed("$ run\r\n".utf8)
        var writer = InlineWriter(capabilities: TerminalCapabilities(reflow: true))
        emulator.feed(writer.enter())
        return (emulator, writer)
    }

    @Test("A frame stands below the text that was there, and is replaced by the next one")
    func frames() {
        var (emulator, writer) = started()
        emulator.feed(writer.bytes(for: frame("one", "two"), terminal: size))
        expectEqual(emulator.text, ["$ run", "one", "two", "", "", ""])
        emulator.feed(writer.bytes(for: frame("on", "", "three"), terminal: size))
        expectEqual(emulator.text, ["$ run", "on", "", "three", "", ""])
        emulator.feed(writer.bytes(for: frame("last"), terminal: size))
        expectEqual(emulator.text, ["$ run", "last", "", "", "", ""])
        emulator.feed(writer.leave())
        expect(emulator.row == 2 && emulator.column == 0 && emulator.modes == [7, 25] && emulator.unknown.isEmpty)
    }

    @Test("An unchanged frame takes no bytes")
    func unchanged() {
        var (_, writer) = started()
        _ = writer.bytes(for: frame("one", "two"), terminal: size)
        expect(writer.bytes(for: frame("one", "two"), terminal: size).isEmpty)
        var shown = frame("one", "two")
        shown.cursor = Point(column: 1, row: 1)
        _ = writer.bytes(for: shown, terminal: size)
        expect(writer.bytes(for: shown, terminal: size).isEmpty)
    }

    @Test("Committed lines move up, once, and the frame stays below them")
    func committed() {
        var (emulator, writer) = started()
        emulator.feed(writer.bytes(for: frame("frame", "two"), terminal: size))
        for number in 0..<9 {
            emulator.feed(writer.bytes(for: frame("frame", "two"), committing: ["line \(number)"], terminal: size))
        }
        expectEqual(emulator.allText, ["$ run"] + (0..<9).map { "line \($0)" } + ["frame", "two"])
    }

    @Test("A committed line may be longer than a row, and have line breaks and escapes")
    func longLines() {
        var (emulator, writer) = started()
        let line = StyledText(String(repeating: "x", count: 45), .bold) + "\nsecond\u{1B}[2J"
        emulator.feed(writer.bytes(for: frame("frame"), committing: [line], terminal: size))
        let x = String(repeating: "x", count: 20)
        expectEqual(emulator.allText.filter { !$0.isEmpty }, ["$ run", x, x, "xxxxx", "second␛[2J", "frame"])
        expectEqual(emulator.rows.first { $0.text == "frame" }?.cells[0].style, Emulator.Pen())
    }

    @Test("A frame that is too high is cut, and one without rows is empty")
    func heights() {
        var (emulator, writer) = started()
        let rows = (0..<9).map { "row \($0)" }
        var canvas = Canvas(size: Size(columns: 20, rows: 9))
        for (index, row) in rows.enumerated() { canvas.write(row, at: Point(column: 0, row: index)) }
        emulator.feed(writer.bytes(for: canvas, terminal: size))
        expectEqual(emulator.allText, ["$ run"] + rows.prefix(6))
        emulator.feed(writer.bytes(for: Canvas(size: Size(columns: 20, rows: 0)), terminal: size))
        expectEqual(emulator.allText.filter { !$0.isEmpty }, ["$ run"])
        emulator.feed(writer.leave())
        expectEqual(emulator.modes, [7, 25])
    }

    @Test("The cursor stands in the frame, or in its first cell while it is hidden")
    func cursor() {
        var (emulator, writer) = started()
        var canvas = frame("one", "two")
        emulator.feed(writer.bytes(for: canvas, terminal: size))
        expect(emulator.row == 1 && emulator.column == 0 && !emulator.isCursorVisible)
        canvas.cursor = Point(column: 2, row: 1)
        emulator.feed(writer.bytes(for: canvas, terminal: size))
        expect(emulator.row == 2 && emulator.column == 2 && emulator.isCursorVisible)
        canvas.cursor = nil
        emulator.feed(writer.bytes(for: canvas, terminal: size))
        expect(!emulator.isCursorVisible)
    }

    @Test("Clusters and links are written as they are on the alternate screen")
    func pools() {
        var (emulator, writer) = started()
        emulator.feed(writer.bytes(for: frame("👩‍👩‍👧a👍🏽"), terminal: size))
        emulator.feed(writer.bytes(for: frame("👍🏽a👩‍👩‍👧"), terminal: size))
        emulator.feed(writer.bytes(for: frame("👍🏽b👩‍👩‍👧"), terminal: size))
        expectEqual(emulator.text[1], "👍🏽b👩‍👩‍👧")
    }

    @Test("Many changes of size leave each committed line written once, and the text above intact")
    func resizes() {
        for seed in Budget.seeds(20, least: 2) {
            for reflow in [true, false] {
                let resizes = Budget.size(40, quick: 20)
                let trace = InlineTrace(seed: seed, resizes: resizes, showsCursor: seed % 2 == 0, reflow: reflow)
                var emulator = Emulator(size: Size(columns: 80, rows: 24))
                for step in trace.steps {
                    switch step {
                    case .resize(let size): emulator.resize(to: size, reflow: reflow)
                    case .write(let bytes): emulator.feed(bytes)
                    }
                }
                let text = emulator.joinedText.matches(of: /(above|line) \d+\./).map { String($0.output.0) }
                let expected = (0..<trace.above).map { "above \($0)." } + (0..<trace.lines).map { "line \($0)." }
                expectEqual(text, expected, "seed \(seed), reflow \(reflow)")
                expect(emulator.unknown.isEmpty, "seed \(seed), reflow \(reflow)")
            }
        }
    }
}

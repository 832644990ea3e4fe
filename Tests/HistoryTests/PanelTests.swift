import MoonPresentation
import MoonlightTestSupport
import Streams
import Testing

@testable import HistorySample

@Suite("History: the panel")
struct PanelTests {
    private func texts(_ lines: Int, columns: Int = 40, rows: Int) -> [String] {
        let state = HistoryState(history: (0..<lines).map { "line \($0)" })
        return Panel.rows(of: state, in: Size(columns: columns, rows: rows)).map(\.string)
    }

    private func pilot(_ text: String = "moon") throws -> Pilot<HistoryState, HistoryEvent> {
        try Panel.program(
            HistoryEnvironment(number: { Just(7).eraseToAnyPublisher() }, text: { Just(text).eraseToAnyPublisher() })
        ).pilot(size: Size(columns: 30, rows: 8))
    }

    private func rows(_ canvas: Canvas) -> [String] {
        (0..<canvas.size.rows).map { row in
            let text = (0..<canvas.size.columns).map { canvas.text(at: Point(column: $0, row: row)) ?? "" }.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("Keys send requests, and the frame shows the answers")
    func keys() throws {
        let pilot = try pilot()
        expectEqual(rows(pilot.frame), ["History", "", "Nothing yet.", "", "n number   t text   q quit", "", "", ""])
        pilot.press("n", "T", "x", .up, .enter)
        expectEqual(rows(pilot.frame), ["History", "", "Number: 7", "String: moon", "", "n number   t text   q quit", "", ""])
        expectEqual(pilot.frame.style(at: Point(column: 0, row: 5)).foreground, .cyan)
        pilot.press("t", "t", "t")
        expectEqual(rows(pilot.frame).first, "Number: 7")
    }

    @Test("The panel is left by q, Ctrl-C and Ctrl-D", arguments: ["q", "Q", .control("c"), .control("d")] as [Key])
    func quit(key: Key) throws {
        let pilot = try pilot()
        expect(pilot.ending == nil)
        pilot.press(key)
        expectEqual(pilot.ending, .quit)
    }

    @Test("The panel with enough room shows a title, the history and the keys")
    func roomy() {
        expectEqual(texts(2, rows: 24), ["History", "", "line 0", "line 1", "", "n number   t text   q quit"])
        expectEqual(texts(0, rows: 24), ["History", "", "Nothing yet.", "", "n number   t text   q quit"])
    }

    @Test("The panel in a low window keeps the newest lines and the keys", arguments: 0...14)
    func low(rows: Int) {
        let shown = texts(10, rows: rows)
        expect(shown.count <= max(1, rows))
        expect(shown.contains("line 9"))
        expect(rows <= 1 || shown.last == "n number   t text   q quit")
    }

    @Test("The panel in a narrow window shows the keys without their meanings")
    func narrow() {
        expectEqual(texts(1, columns: 26, rows: 24).last, "n number   t text   q quit")
        expectEqual(texts(1, columns: 25, rows: 24).last, "n t q")
    }

    @Test("A line that is too long is cut, and control characters are made visible")
    func long() throws {
        let pilot = try pilot("月の裏側は見えない、ずっと前から。")
        pilot.press("t")
        expect(rows(pilot.frame)[2].hasSuffix("…"))
        let other = try self.pilot("\u{1B}[2J")
        other.press("t")
        expect(!rows(other.frame)[2].contains("\u{1B}") && rows(other.frame)[2].contains("[2J"))
    }

    @Test("The picture of history in the documentation is the frame of the terminal")
    func picture() throws {
        let lines = ["Number: 3", "String: The moon has no light of its own.", "Number: 1", "Number: 6"]
        let environment = HistoryEnvironment(
            number: { Just(7).eraseToAnyPublisher() }, text: { Just("moon").eraseToAnyPublisher() })
        let frame = try Panel.program(environment).frame(
            of: HistoryState(history: lines), size: Size(columns: 46, rows: 8))
        try frame.compare(to: "history")
        try frame.compareSVG(at: "../../Documentation/Samples/history.svg", title: "The last four answers, and the keys")
    }
}

import MoonPresentation
import Streams
import Testing

@testable import HistorySample

@Suite("The panel of history")
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

    @Test("Keys ask, and the frame shows the answers")
    func keys() throws {
        let pilot = try pilot()
        #expect(rows(pilot.frame) == ["History", "", "Nothing yet.", "", "n number   t text   q quit", "", "", ""])
        pilot.press("n", "T", "x", .up, .enter)
        #expect(rows(pilot.frame) == ["History", "", "Number: 7", "String: moon", "", "n number   t text   q quit", "", ""])
        #expect(pilot.frame.style(at: Point(column: 0, row: 5)).foreground == .cyan)
        pilot.press("t", "t", "t")
        #expect(rows(pilot.frame).first == "Number: 7")
    }

    @Test("It is left by q, Ctrl-C and Ctrl-D", arguments: ["q", "Q", .control("c"), .control("d")] as [Key])
    func quit(key: Key) throws {
        let pilot = try pilot()
        #expect(pilot.ending == nil)
        pilot.press(key)
        #expect(pilot.ending == .quit)
    }

    @Test("With room, it shows a title, the history and the keys")
    func roomy() {
        #expect(texts(2, rows: 24) == ["History", "", "line 0", "line 1", "", "n number   t text   q quit"])
        #expect(texts(0, rows: 24) == ["History", "", "Nothing yet.", "", "n number   t text   q quit"])
    }

    @Test("In a low window the newest lines and the keys remain", arguments: 0...14)
    func low(rows: Int) {
        let shown = texts(10, rows: rows)
        #expect(shown.count <= max(1, rows))
        #expect(shown.contains("line 9"))
        #expect(rows <= 1 || shown.last == "n number   t text   q quit")
    }

    @Test("In a narrow window the keys go without their meanings")
    func narrow() {
        #expect(texts(1, columns: 26, rows: 24).last == "n number   t text   q quit")
        #expect(texts(1, columns: 25, rows: 24).last == "n t q")
    }

    @Test("A line that is too long is cut, and what would steer the terminal is shown")
    func long() throws {
        let pilot = try pilot("月の裏側は見えない、ずっと前から。")
        pilot.press("t")
        #expect(rows(pilot.frame)[2].hasSuffix("…"))
        let other = try self.pilot("\u{1B}[2J")
        other.press("t")
        #expect(!rows(other.frame)[2].contains("\u{1B}") && rows(other.frame)[2].contains("[2J"))
    }

    @Test("The picture of the README shows what the terminal shows")
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

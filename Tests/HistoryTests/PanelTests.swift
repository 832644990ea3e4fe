import Testing

@testable import SampleTerminal
@testable import HistorySample

@Suite("The panel of history")
struct PanelTests {
    private func texts(_ lines: Int, columns: Int = 40, rows: Int) -> [String] {
        let state = HistoryState(history: (0..<lines).map { "line \($0)" })
        return Panel.rows(of: state, in: Size(columns: columns, rows: rows)).map(\.text)
    }

    @Test("With room, it shows a title, the history and the keys")
    func roomy() {
        #expect(texts(2, rows: 24) == ["History", "", "line 0", "line 1", "", "n number   t text   q quit"])
        #expect(texts(0, rows: 24) == ["History", "", "Nothing yet.", "", "n number   t text   q quit"])
    }

    @Test("In a low window the newest lines and the keys remain", arguments: 1...14)
    func low(rows: Int) {
        let shown = texts(10, rows: rows)
        #expect(shown.count <= rows)
        #expect(shown.contains("line 9"))
        #expect(rows == 1 || shown.last == "n number   t text   q quit")
    }

    @Test("In a narrow window the keys go without their meanings")
    func narrow() {
        #expect(texts(1, columns: 26, rows: 24).last == "n number   t text   q quit")
        #expect(texts(1, columns: 25, rows: 24).last == "n t q")
    }

    @Test("No row of a frame is wider than the window", arguments: [1, 2, 3, 5, 8, 13, 21, 34, 80])
    func neverWider(columns: Int) {
        let state = HistoryState(history: ["String: 月の裏側は見えない 👩‍🚀🌕", "Number: 4", "String: \u{1B}[2J"])
        for row in Panel.rows(of: state, in: Size(columns: columns, rows: 24)) {
            #expect(row.rendered(columns: columns, styled: false).columns <= columns)
        }
    }

    @Test("Without styles a row is bare text, with them it is the same between codes")
    func styles() {
        let row = Panel.rows(of: HistoryState(), in: Size(columns: 80, rows: 24))[0]
        #expect(row.rendered(columns: 80, styled: false) == "History")
        #expect(row.rendered(columns: 80, styled: true) == "\u{1B}[1mHistory\u{1B}[0m")
        #expect(row.rendered(columns: 4, styled: true) == "\u{1B}[1mHis…\u{1B}[0m")
    }
}

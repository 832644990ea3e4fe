import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: help and log")
struct HelpTests {
    private let keys: KeyTable<Int> = [
        .key("n", .insert, sends: 1, help: "new"), .key("x", sends: 2), .key(.control("d"), sends: 3, help: "remove"),
        .quit(.escape, help: "quit"),
    ]

    @Test("A page of help has a row for each line of the key table that has a help text")
    func page() {
        let name = Key.control("d").name
        let rows = picture(30, 4, HelpView<Never>(keys, isPage: true))
        let first = "n/\(Key.insert.name)"
        let margin = max(first.count, name.count, Key.escape.name.count) + 2
        func line(_ key: String, _ text: String) -> String { key + String(repeating: " ", count: margin - key.count) + text }
        expectEqual(rows, [line(first, "new"), line(name, "remove"), line(Key.escape.name, "quit"), ""])
        expectEqual(HelpView<Never>(keys, isPage: true).naturalSize(in: .zero), NaturalSize(columns: margin + 6, rows: 3))
    }

    @Test("A row of help has as many entries as fit as a whole")
    func row() {
        let lines = [KeyHelp(keys: ["a"], text: "add"), KeyHelp(keys: ["b"], text: "back"), KeyHelp(keys: ["q"], text: "quit")]
        expectEqual(picture(40, 1, HelpView<Never>(lines)), ["a add  b back  q quit"])
        expectEqual(picture(21, 1, HelpView<Never>(lines)), ["a add  b back  q quit"])
        expectEqual(picture(20, 1, HelpView<Never>(lines)), ["a add  b back …"])
        expectEqual(picture(15, 1, HelpView<Never>(lines)), ["a add  b back …"])
        expectEqual(picture(14, 1, HelpView<Never>(lines)), ["a add …"])
        expectEqual(picture(2, 1, HelpView<Never>(lines)), ["…"])
        expectEqual(picture(0, 1, HelpView<Never>(lines)), [""])
        expectEqual(picture(5, 1, HelpView<Never>([])), [""])
    }

    private func log(_ count: Int, limit: Int = 100) -> LogLines {
        var log = LogLines(limit: limit)
        for number in 0..<count { log.append("line \(number)") }
        return log
    }

    @Test("A log shows its last lines")
    func last() {
        var stand = Stand<Never>(9, 3)
        expectEqual(stand.show(LogView(log(2))), ["line 0", "line 1", ""])
        expectEqual(stand.show(LogView(log(5))), ["line 2", "line 3", "line 4"])
        expectEqual(stand.show(LogView(log(6), scrollBar: true)), ["line 3  │", "line 4  │", "line 5  ┃"])
        expectEqual(stand.show(LogView(log(5, limit: .max))), ["line 2", "line 3", "line 4"])
    }

    @Test("A log that was scrolled does not follow new lines until its end is reached again")
    func still() {
        var stand = Stand<Never>(9, 2)
        stand.show(LogView(log(9)))
        _ = stand.press(.up)
        expectEqual(stand.show(LogView(log(9))), ["line 6", "line 7"])
        expectEqual(stand.show(LogView(log(20))), ["line 6", "line 7"])
        _ = stand.press(.down)
        expectEqual(stand.show(LogView(log(20))), ["line 7", "line 8"])
        _ = stand.press(.end)
        expectEqual(stand.show(LogView(log(21))), ["line 19", "line 20"])
        _ = stand.mouse(.wheel(columns: 0, rows: -1), 0, 0)
        expectEqual(stand.show(LogView(log(22))), ["line 16", "line 17"])
        _ = stand.mouse(.wheel(columns: 0, rows: 1), 0, 0)
        _ = stand.mouse(.wheel(columns: 0, rows: 1), 0, 0)
        expectEqual(stand.show(LogView(log(22))), ["line 19", "line 20"])
    }

    @Test("A log keeps the last lines, and its visible rows do not move when others are dropped")
    func dropped() {
        expect(log(15, limit: 10).lines.count == 15 && log(15, limit: 10).dropped == 0)
        expect(log(16, limit: 10).lines.first == "line 6" && log(16, limit: 10).dropped == 6)
        var stand = Stand<Never>(9, 2)
        stand.show(LogView(log(15, limit: 10)))
        _ = stand.press(.up, .up)
        stand.show(LogView(log(15, limit: 10)))
        _ = stand.press(.up)
        expectEqual(stand.show(LogView(log(15, limit: 10))), ["line 11", "line 12"])
        expectEqual(stand.show(LogView(log(16, limit: 10))), ["line 11", "line 12"])
        var late = Stand<Never>(9, 2)
        expectEqual(late.show(LogView(log(16, limit: 10))), ["line 14", "line 15"])
        _ = late.press(.up)
        expectEqual(late.show(LogView(log(16, limit: 10))), ["line 13", "line 14"])
        expectEqual(stand.show(LogView(log(40, limit: 10)))[0], "line \(log(40, limit: 10).dropped)")
    }

    @Test("A text with line breaks is several lines of a log")
    func lines() {
        var log = LogLines()
        log.append("one\ntwo")
        expectEqual(log.lines, ["one", "two"])
    }
}

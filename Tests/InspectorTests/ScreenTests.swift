import MoonPresentation
import MoonlightRecording
import MoonlightTestSupport
import Testing

@testable import MoonlightInspector

/// Pictures of the screen, which are kept in `Frames` beside this file. `RECORD_FRAMES=1` writes them anew.
@Suite("Inspector: the screen")
struct ScreenTests {
    private let steps = shortDay().steps

    private func bench(_ columns: Int, _ rows: Int) throws -> Bench { try Bench(steps, columns, rows) }

    @Test("A wide screen has all panes")
    func wide() throws {
        let bench = try bench(100, 24)
        bench.press("/").type("greeted").press(.enter, "m", .end, .tab, .down)
        try bench.pilot.frame.compare(to: "a wide screen")
    }

    @Test("The picture in the documentation is what is drawn")
    func picture() throws {
        let bench = try bench(92, 22)
        bench.press("/").type("greeted").press(.enter)
        try bench.pilot.frame.compareSVG(
            at: "../../Sources/MoonlightRecording/MoonlightRecording.docc/Resources/inspect.svg",
            title: "Steps of a recording, the state after one of them, what it changed and what led to it")
    }

    @Test("A high and narrow screen has the steps and the pane that had the focus last")
    func tall() throws {
        let bench = try bench(50, 24)
        bench.press(.down, .down, .shift(.tab), .shift(.tab), .shift(.tab), .shift(.tab), .down)
        expect(bench.state.pane == .steps && bench.state.side == .state)
        try bench.pilot.frame.compare(to: "a high screen")
    }

    @Test("A small screen has one pane, and the names of all")
    func small() throws {
        let bench = try bench(40, 12)
        try bench.pilot.frame.compare(to: "a small screen with steps")
        bench.press(.down, .tab, .tab)
        try bench.pilot.frame.compare(to: "a small screen with a difference")
        bench.press(.tab)
        expect(bench.shows("order(\"tea\")  came from outside") && bench.rows[0] == " steps  state  diff  cause   2 of 1–20")
    }

    @Test(
        "Questions, messages, texts and the help have their places",
        arguments: [Size(columns: 100, rows: 30), Size(columns: 40, rows: 12)])
    func places(size: Size) throws {
        let bench = try bench(size.columns, size.rows)
        bench.press("b")
        expect(bench.bottom.hasPrefix("since when count > 3"))
        expectEqual(bench.pilot.frame.cursor, Point(column: 11, row: size.rows - 1))
        bench.press(.escape, "/").type("x")
        expectEqual(bench.bottom, "/ x")
        bench.press(.escape, "g")
        expectEqual(bench.bottom, "step its number")
        bench.press(.escape, .end, "p")
        try bench.pilot.frame.compare(to: "a plan on \(size.columns) columns")
        bench.press(.escape, "?")
        try bench.pilot.frame.compare(to: "help on \(size.columns) columns")
    }

    @Test("The arrangement of the panes depends on the size of the screen")
    func forms() {
        func form(_ columns: Int, _ rows: Int) -> InspectorView.Form { .init(Size(columns: columns, rows: rows)) }
        expect(form(80, 15) == .wide && form(300, 100) == .wide)
        expect(form(79, 20) == .tall && form(20, 20) == .tall)
        expect(form(79, 19) == .narrow(hasNames: true) && form(80, 14) == .narrow(hasNames: true))
        expect(form(19, 20) == .narrow(hasNames: true) && form(40, 4) == .narrow(hasNames: true))
        expect(form(40, 3) == .narrow(hasNames: false) && form(0, 0) == .narrow(hasNames: false))
    }

    @Test("A frame fits a screen of any size, whatever is shown")
    func tiny() throws {
        let bench = try bench(1, 1)
        for size in [
            (1, 1), (1, 2), (2, 1), (3, 3), (19, 30), (5, 60), (200, 1), (80, 14), (79, 15), (80, 15), (20, 20), (300, 100),
        ] {
            bench.resize(size.0, size.1)
            for keys in [
                [], ["?", .escape], ["/", "x", .escape], ["s", .down, .escape], [.tab], [.tab], [.tab], [.tab], ["m", .end],
            ] as [[Key]] {
                for key in keys {
                    bench.press(key)
                    expectEqual(bench.pilot.frame.size, Size(columns: size.0, rows: size.1))
                }
            }
        }
        expect(bench.pilot.failure == nil && bench.pilot.ending == nil)
        expect(bench.resize(40, 1).rows[0].hasPrefix(">"))
        expect(bench.resize(40, 3).rows[1].hasPrefix(">") && bench.bottom.hasPrefix("? help"))
    }

    @Test("A step with control characters is shown in one row, without them")
    func control() throws {
        let bench = try Bench(ShopRecorder().send(.order("a\u{1B}[2J\nb")).steps, 60, 8)
        let row = try #require(bench.rows.first { $0.contains("[2J") })
        expect(!row.contains("\u{1B}"))
    }

    @Test("Each kind of step has a sign of its own in its lane")
    func signs() throws {
        var signs: Set<String> = []
        func check(_ change: (inout StepRecord) -> Void) {
            var record = StepRecord()
            (record.number, record.text, record.cause) = (7, "x\ny", 3)
            change(&record)
            let element = Steps.Element(number: 7, record: .success(record))
            let row = StepText.row(element, digits: 3, isMarked: true, hasLanes: true, hasTime: true)
            signs.insert("\(StepText.sign(of: record))")
            expect(row.string.hasPrefix("  7»   0.000 ") && row.string.hasSuffix(" x⏎y") && row.columns == 22)
        }
        check { ($0.kind, $0.cause) = (.event, nil) }
        check { $0.kind = .event }
        check { $0.kind = .effect }
        check { ($0.kind, $0.changes) = (.effect, [TreeChange(["a"], nil)]) }
        check { $0.kind = .job }
        check { $0.kind = .rule }
        check { $0.kind = .rejected }
        check { $0.kind = .effectRejected }
        check { $0.kind = .call }
        check { $0.kind = .answer }
        check { $0.kind = .result }
        check { $0.kind = .note }
        check { $0.kind = .ended }
        expectEqual(signs.count, 13)
        let broken = Steps.Element(number: 7, record: .failure(.damaged(byte: 1, reason: "x")))
        expectEqual(
            StepText.row(broken, digits: 1, isMarked: false, hasLanes: true, hasTime: true).string,
            "7 the recording is damaged at byte 1: x")
    }

    @Test("The time of a step is in seconds, and leaves room for hours")
    func time() {
        var record = StepRecord()
        for (nanoseconds, text) in [
            (0, "   0.000"), (1_234_567_890, "   1.234"), (9_999_999_999_999, "9999.999"), (10_000_000_000_000, "10000.000"),
        ] {
            record.time = nanoseconds
            expectEqual(StepText.time(record), text)
        }
    }

    @Test("A long value in a difference leaves room for the other one")
    func difference() {
        let long = StateTree.leaf(String(repeating: "x", count: 500))
        func row(_ before: StateTree?, _ after: StateTree?) -> String {
            StateText.row(Look.Change(path: ["a"], title: "a", before: before, after: after), width: 40).string
        }
        expectEqual(row(.leaf("1"), .leaf("2")), "a: 1 → 2")
        expect(row(long, .leaf("2")).hasSuffix("x… → 2") && row(long, .leaf("2")).count == 40)
        expect(row(long, long).hasPrefix("a: xxxxxxxxxxxxxxxx… → xxx"))
        expect(row(nil, .leaf("2")) == "a: + 2" && row(.leaf("1"), nil) == "a: - 1")
    }
}

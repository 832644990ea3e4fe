import MoonPresentation
import MoonlightRecording
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

@testable import MoonlightInspector

@Suite("Inspector: keys")
struct InspectorTests {
    private let steps = shortDay().steps

    private func bench(_ columns: Int = 100, _ rows: Int = 24) throws -> Bench { try Bench(steps, columns, rows) }

    private func number(_ text: String) throws -> Int {
        try #require(steps.first { (try? $0.record.get().text) == text }).number
    }

    // MARK: Steps

    @Test("The inspector begins with the first step and its details")
    func begin() throws {
        let bench = try bench()
        expect(bench.state.selected == 1 && bench.state.look?.number == 1)
        expect(bench.bottom.hasPrefix("? help") && bench.pilot.title == "bug.moon")
    }

    @Test("Arrows, letters, pages and ends move through the steps, and the details follow")
    func moves() throws {
        let bench = try bench(100, 10)
        let last = steps.count
        expectEqual(bench.press(.down, "j", .down).state.selected, 4)
        expect(bench.press(.up, "k").state.selected == 2 && bench.state.look?.number == 2)
        expect(bench.press(.end).state.selected == last && bench.press("G").state.selected == last)
        expectEqual(bench.state.look?.number, last)
        expectEqual(bench.press(.down).state.selected, last)
        expect(bench.press(.home).state.selected == 1 && bench.press(.up).state.selected == 1)
        // The pane has eight rows, below the names and above the keys.
        expect(bench.press(.pageDown).state.selected == 8 && bench.press(.pageUp).state.selected == 1)
    }

    @Test("Left goes to the cause, Right to what a step caused, and Backspace back")
    func causes() throws {
        let bench = try bench()
        let greeted = try number("greeted")
        bench.press("g").type("\(greeted)").press(.enter)
        expectEqual(bench.state.selected, greeted)
        expect(bench.press(.left).state.selected == (try number("greet")))
        expect(bench.press("h").state.selected == (try number("added(\"milk\")")))
        expect(bench.press(.left).state.selected == (try number("order(\"milk\")")))
        bench.press(.left)
        expect(bench.state.selected == (try number("order(\"milk\")")) && bench.bottom == "it came from outside")
        expect(bench.press(.right).state.selected == (try number("added(\"milk\")")))
        expect(bench.press(.backspace).state.selected == (try number("order(\"milk\")")))
        expectEqual(bench.press(.backspace, .backspace, .backspace).state.selected, greeted)
        expect(bench.press(.backspace).state.selected == 1 && bench.press(.backspace).state.selected == 1)
        bench.press(.end, .right)
        expect(bench.state.selected == steps.count && bench.bottom == "it caused nothing that is kept")
    }

    @Test("A mark compares each step with the marked one, until it is removed")
    func mark() throws {
        let bench = try bench()
        bench.press("m", .end)
        expect(bench.state.mark == 1 && bench.state.look?.mark == 1)
        expect(bench.shows("difference 1 → \(steps.count)") && bench.shows("total: 0 → 3"))
        bench.press(.home)
        expect(bench.state.look?.mark == nil)
        bench.press("m")
        expect(bench.state.mark == nil)
        expect(bench.press(.end, .up).state.look?.mark == nil && bench.shows("customer.visits: 1 → 2"))
        bench.press(.end)
        // The mark moves to where it is set anew.
        bench.press("m", .home, "m")
        expectEqual(bench.state.mark, 1)
    }

    // MARK: Questions

    @Test("A search goes to the next step with the text, n to the one after it, and N back")
    func search() throws {
        let bench = try bench()
        bench.press("/").type("milk").press(.enter)
        expect(bench.state.selected == (try number("order(\"milk\")")) && bench.state.look?.number == bench.state.selected)
        expect(bench.press("n").state.selected == (try number("added(\"milk\")")))
        expect(bench.press("N").state.selected == (try number("order(\"milk\")")))
        bench.press("N")
        expect(bench.bottom == "the search went on at the other end" && bench.state.work == nil)
        bench.press("/").type("nowhere").press(.enter)
        expectEqual(bench.bottom, "\"nowhere\" was not found")
        // Letters belong to the question, also those that are keys, and Tab does not leave it.
        bench.press("/").type("qg?").press(.tab, .up)
        expect(bench.state.input.text == "qg?" && bench.state.question == .search && bench.pilot.ending == nil)
        bench.press(.escape)
        expect(bench.state.question == nil && bench.state.pattern == "nowhere")
        expect(bench.press(.down).state.question == nil)
        try expectEqual(self.bench().press("n").bottom, "nothing was searched for: press /")
    }

    @Test("An empty answer to a question does nothing")
    func emptyAnswer() throws {
        let bench = try bench()
        for key in ["/", "g", "b"] as [Key] {
            bench.press(key).type("  ").press(.enter)
            expect(bench.state.question == nil && bench.state.message == nil && bench.state.selected == 1)
        }
    }

    @Test("Key g goes to a step, or to the nearest one that is kept")
    func goTo() throws {
        let bench = try bench()
        expectEqual(bench.press("g").type("7").press(.enter).state.selected, 7)
        bench.press("g").type("999").press(.enter)
        expectEqual(bench.state.selected, steps.count)
        expectEqual(bench.bottom, "step 999 is not kept; the nearest one is \(steps.count)")
        bench.press("g").type("x").press(.enter)
        expect(bench.bottom == "\"x\" is no number" && bench.state.message?.isError == true)
        expectEqual(bench.press(.backspace).state.selected, 7)
    }

    @Test("Key b finds since when or at which step a condition holds, or says what is wrong with it")
    func bisect() throws {
        let bench = try bench()
        bench.press("b").type("customer.visits > 0").press(.enter)
        expect(bench.state.selected == (try number("greeted")) && bench.state.look?.number == bench.state.selected)
        expect(
            bench.bottom.hasPrefix("customer.visits > 0 from step \(try number("greeted")) on; ")
                && bench.bottom.hasSuffix(" states looked at"))
        bench.press("b").type("total == 6").press(.enter)
        let added = try number("added(\"milk\")")
        expect(
            bench.state.selected == added && bench.bottom.hasPrefix("total == 6 after step \(added) first, and not at the end; "))
        bench.press("b").type("total == 7").press(.enter)
        expect(bench.bottom == "total == 7 after no step" && bench.state.selected == added)
        bench.press("b").type("total").press(.enter)
        expect(bench.bottom.hasPrefix("\"total\" is no question") && bench.state.message?.isError == true)
    }

    // MARK: Panes

    @Test("Tab goes around the panes, and the one with the focus gets the keys")
    func panes() throws {
        let bench = try bench()
        expectEqual(bench.press(.tab).state.pane, .state)
        bench.press(.down)
        expect(bench.state.selected == 1 && bench.state.part == ["basket"])
        expect(bench.press(.tab, .tab).state.pane == .cause && bench.press(.tab).state.pane == .steps)
        expect(bench.press(.shift(.tab)).state.pane == .cause && bench.press(.shift(.tab)).state.pane == .difference)
        // A question gives the focus back.
        bench.press(.shift(.tab), "/", .escape, .down)
        expect(bench.state.pane == .state && bench.state.part == ["total"])
        bench.press("?", "?", .down)
        expectEqual(bench.state.part, ["stock"])
        expectEqual(bench.press(.tab, .tab, .tab, .enter).state.pane, .state)
    }

    @Test("Parts of the state are opened and closed, and stay so for other steps")
    func folding() throws {
        let bench = try bench()
        bench.press(.tab, .right)
        expect(bench.state.folding == [["customer"]: true] && bench.shows("visits: 0"))
        expectEqual(bench.press(.right).state.part, ["customer", "name"])
        expectEqual(bench.press(.right).state.part, ["customer", "name"])
        expectEqual(bench.press(.left).state.part, ["customer"])
        bench.press(.tab, .tab, .tab, .down, .tab)
        expect(bench.shows("visits: 0"))
        expect(bench.press(.left).state.folding == [["customer"]: false] && !bench.shows("visits: 0 "))
        expectEqual(bench.press(.left).state.part, ["customer"])
        expect(bench.press(" ").state.folding == [["customer"]: true] && bench.press(" ").state.folding == [["customer"]: false])
        // A part without parts is neither opened nor closed.
        expectEqual(bench.press(.end, .up, " ", .right).state.folding, [["customer"]: false])
    }

    @Test("Enter shows a whole value, shows both values of a difference, and goes to a cause")
    func open() throws {
        let bench = try bench()
        let added = try number("added(\"milk\")")
        bench.press("g").type("\(added)").press(.enter, .tab, .enter)
        expectEqual(bench.state.reading, Reading(title: "customer", lines: ["Customer(name: \"Ann\", visits: 0)"]))
        expect(bench.press(.escape).state.reading == nil)
        bench.press(.tab, .down, .enter)
        expectEqual(bench.state.reading, Reading(title: "total", lines: ["before:", "3", "", "after:", "6"]))
        bench.press("q", .up, .enter)
        expectEqual(bench.state.reading, Reading(title: "basket[1]", lines: ["before:", "nothing", "", "after:", "\"milk\""]))
        bench.press(.enter, .tab, .enter)
        expect(bench.state.selected == (try number("order(\"milk\")")) && bench.pilot.ending == nil)
    }

    @Test("The pane of causes has a selection of its own")
    func causeList() throws {
        let bench = try bench()
        bench.press("g").type("\(try number("greeted"))").press(.enter, .shift(.tab), .down, .down, .down)
        expectEqual(bench.state.cause, 2)
        expect(bench.press(.enter).state.selected == (try number("order(\"milk\")")) && bench.state.cause == 0)
    }

    // MARK: Texts

    @Test("Keys s and p show the story and the plan up to the step, which can be scrolled")
    func texts() throws {
        let bench = try bench(60, 10)
        bench.press(.end, "s")
        expect(
            bench.state.reading?.title == "the story up to step \(steps.count)" && bench.state.reading?.lines.first == "Given")
        expectEqual(bench.press(.down, "j").state.reading?.top, 2)
        expect(bench.press(.up, "k").state.reading?.top == 0 && bench.press(.up).state.reading?.top == 0)
        let count = try #require(bench.state.reading?.lines.count)
        expect(bench.press(.end).state.reading?.top == count - 1 && bench.press(.home).state.reading?.top == 0)
        expect(bench.press(.pageDown).state.reading?.top ?? 0 > 4)
        expect(bench.press(.escape).state.reading == nil && bench.state.selected == steps.count)
        bench.press("p")
        expectEqual(bench.state.reading?.lines.contains { $0.contains(".when(.order(\"tea\"))") }, true)
    }

    @Test("Key ? shows the keys of the place from its table, and q closes what is open before it ends the program")
    func help() throws {
        let bench = try bench(100, 50)
        bench.press("?")
        for line in Inspector.keys(of: .pane(.steps)).help { expect(bench.shows(line.text), "\(line.text)") }
        expect(bench.press("q").state.isHelpShown == false && bench.pilot.ending == nil)
        bench.press("s", "?")
        expect(bench.state.isHelpShown && bench.shows("close"))
        expect(bench.press(.escape).state.isHelpShown == false && bench.state.reading != nil)
        expect(bench.press("q").state.reading == nil && bench.pilot.ending == nil)
        expectEqual(bench.press("q").pilot.ending, .quit)
    }

    @Test("A message stays until the next key")
    func message() throws {
        let bench = try bench()
        bench.press(.left)
        expectEqual(bench.bottom, "it came from outside")
        expect(bench.press(.down).bottom.hasPrefix("? help"))
    }

    @Test("An empty recording takes every key and shows that it has no steps")
    func empty() throws {
        let bench = try Bench(ShopRecorder().steps)
        for key in ["j", "G", "n", "m", "s", "p", "F", .left, .right, .enter, .tab, " ", .enter, .tab, .enter, .tab, .enter]
            as [Key]
        {
            bench.press(key, .escape)
        }
        bench.press("/").type("a").press(.enter, "g").type("1").press(.enter, "b").type("a == 1").press(.enter)
        expect(bench.state.selected == 0 && bench.state.look == nil && bench.shows("no step was recorded yet"))
    }
}

import MoonPresentationTesting
import MoonlightTestSupport
import Testing

@testable import MoonPresentation

@Suite("Widgets: field")
struct FieldTests {
    private enum Event: Hashable {
        case edit(TextEdit)
        case submit
    }

    private func field(
        _ input: TextInput, prompt: String = "", completions: [String] = [], history: Bool = false, isSecret: Bool = false,
        submits: Bool = true
    ) -> Field<Event> {
        Field(
            input, prompt: prompt, placeholder: "type here", completions: completions, history: history, isSecret: isSecret,
            edit: Event.edit,
            submit: submits ? .submit : nil)
    }

    @Test("A field shows its prompt, its text and the cursor behind it")
    func text() {
        var stand = Stand<Event>(20, 1)
        expectEqual(stand.show(field("hello", prompt: "note")), ["note hello"])
        expectEqual(stand.canvas.cursor, Point(column: 10, row: 0))
        expectEqual(stand.show(field("")), ["type here"])
        expectEqual(stand.canvas.cursor, Point(column: 0, row: 0))
        expectEqual(stand.show(field("日本")), ["日本"])
        expectEqual(stand.canvas.cursor, Point(column: 4, row: 0))
    }

    @Test("A long text is scrolled so that the cursor is visible, and no further than that")
    func scrolling() {
        var stand = Stand<Event>(6, 1)
        var input: TextInput = "abcdefghij"
        expectEqual(stand.show(field(input)), ["fghij"])
        expectEqual(stand.canvas.cursor, Point(column: 5, row: 0))
        for _ in 0..<5 { input.apply(.move(.left)) }
        expectEqual(stand.show(field(input)), ["fghij"])
        input.apply(.move(.left))
        expectEqual(stand.show(field(input)), ["efghij"])
        expectEqual(stand.canvas.cursor, Point(column: 0, row: 0))
        input.apply(.delete(.end))
        expectEqual(stand.show(field(input)), ["abcd"])
        expectEqual(stand.canvas.cursor, Point(column: 4, row: 0))
    }

    @Test("A wide character at the edge of a field is shown whole or not at all")
    func wide() {
        var stand = Stand<Event>(4, 1)
        expectEqual(stand.show(field("日本語")), [" 語"])
        expectEqual(stand.canvas.cursor, Point(column: 3, row: 0))
    }

    @Test("A field can be drawn without any room, or without room beside its prompt", arguments: [0, 1, 2, 4, 5])
    func narrow(columns: Int) {
        var stand = Stand<Event>(columns, 1)
        let rows = stand.show(field("hello", prompt: "note"))
        expectEqual(rows, [String("note ".prefix(columns)).trimmingBlanks])
        expect(stand.canvas.cursor == nil || columns > 5)
        var none = Stand<Event>(columns, 0)
        expectEqual(none.show(field("hello")), [])
    }

    @Test("The selection in a field is inverse")
    func selection() {
        var stand = Stand<Event>(8, 1)
        var input: TextInput = "a日bc"
        input.apply(.move(.left))
        input.apply(.move(.left, selecting: true))
        input.apply(.move(.left, selecting: true))
        stand.show(field(input, prompt: "p"))
        expectEqual(stand.canvas.marks(.inverse, row: 0), "...###..")
    }

    @Test("A selection that begins before a tab ends with its last character")
    func selectionWithTab() {
        var stand = Stand<Event>(12, 1)
        var input: TextInput = "ab\tc"
        input.apply(.move(.to(2)))
        input.apply(.move(.end, selecting: true))
        stand.show(field(input))
        expectEqual(stand.canvas.marks(.inverse, row: 0), "..#######...")
    }

    @Test("Each character of a secret is a dot, also for the cursor and clicks")
    func secret() {
        var stand = Stand<Event>(8, 1)
        expectEqual(stand.show(field("日本x", isSecret: true)), ["•••"])
        expectEqual(stand.canvas.cursor, Point(column: 3, row: 0))
        expectEqual(stand.mouse(.press(1), 2, 0), [.edit(.move(.to(6)))])
    }

    @Test("Tab does not accept a completion of a secret, which is not shown")
    func secretCompletion() {
        var stand = Stand<Event>(12, 1)
        stand.show(field("pass", completions: ["password"], isSecret: true))
        expectEqual(stand.press(.tab), [])
    }

    @Test("Keys in a field are commands, and Enter submits")
    func keys() {
        var stand = Stand<Event>(8, 1)
        stand.show(field("x"))
        expectEqual(stand.press("a", "é", .backspace, .control("w"), .enter).count, 5)
        expectEqual(stand.press("a"), [.edit(.insert("a"))])
        expectEqual(stand.press(.enter), [.submit])
        expectEqual(stand.press(.shift(.left)), [.edit(.move(.left, selecting: true))])
        expectEqual(stand.press(.up, .down, .tab, .escape, .pageUp, .control("x"), .alt("x")), [])
        stand.show(field("x", submits: false))
        expectEqual(stand.press(.enter), [])
    }

    @Test("Arrows move through the history of a field if it has one, and otherwise reach other views")
    func history() {
        var stand = Stand<Event>(8, 1)
        stand.show(field(TextInput("x", history: ["y"]), history: true))
        expectEqual(stand.press(.up, .down), [.edit(.earlier), .edit(.later)])
        stand.show(field(TextInput("x", history: ["y"])))
        expectEqual(stand.press(.up, .down), [])
    }

    @Test("A completion is shown dimmed, and Tab takes it")
    func completion() {
        var stand = Stand<Event>(8, 1)
        expectEqual(stand.show(field("ap", completions: ["apple"])), ["apple"])
        expectEqual(stand.canvas.marks(.dim, row: 0), "..###...")
        expectEqual(stand.press(.tab), [.edit(.complete(["apple"]))])
        expectEqual(stand.show(field("ap", completions: ["apple"], isSecret: true)), ["••"])
        expectEqual(stand.show(field("e\u{301}", completions: ["\u{e9}tude"])), ["e\u{301}tude"])
        expectEqual(stand.canvas.marks(.dim, row: 0), ".####...")
    }

    @Test("A click is located in the current text, even after it was replaced by the same characters in another Unicode form")
    func clickInAnotherForm() throws {
        func atStart(_ text: String) -> TextInput {
            var input = TextInput(text)
            input.apply(.move(.start))
            return input
        }
        @Sendable func replace(_ input: inout TextInput, with new: TextInput) { input = new }
        let program = Program(atStart("\u{e9}\u{e9}\u{e9}"), update: replace) { input, screen in
            let field = Field<TextInput>(
                input,
                edit: { edit in
                    var edited = input
                    edited.apply(edit)
                    return edited
                })
            screen.add(field)
        }
        let pilot = try program.pilot(size: Size(columns: 8, rows: 1))
        expectEqual(pilot.frame.cursor, Point(column: 0, row: 0))
        pilot.store.send(atStart("e\u{301}e\u{301}e\u{301}"))
        pilot.send(.mouse(Mouse(.press(1), at: Point(column: 2, row: 0))))
        expect(pilot.state.cursor == 6 && pilot.state.text.utf8.count == 9)
    }

    @Test("Text that is pasted into a field becomes one line")
    func paste() {
        var stand = Stand<Event>(8, 1)
        stand.show(field(""))
        expectEqual(stand.presentation.take(.paste("a\r\nb\nc")), [.edit(.insert("a b c"))])
    }

    @Test("A click in a field moves the cursor, and dragging selects")
    func mouse() {
        var stand = Stand<Event>(8, 1)
        stand.show(field("a日bcdefghij", prompt: "p"))
        // The prompt takes two columns; "fghij" and the cursor can be seen.
        expectEqual(stand.canvas.picture, ["p fghij"])
        expectEqual(stand.mouse(.press(1), 3, 0), [.edit(.move(.to(9)))])
        expectEqual(stand.mouse(.move(1), 5, 0), [.edit(.move(.to(11), selecting: true))])
        expectEqual(stand.mouse(.press(1), 7, 0), [.edit(.move(.to(13)))])
        expectEqual(stand.mouse(.press(3), 7, 0), [])
    }

    @Test("Each key of a field has its command")
    func table() {
        let table: [(Key, TextEdit?)] = [
            (.delete, .delete(.right)), (.control(.backspace), .kill(.wordLeft)), (.alt(.delete), .kill(.wordRight)),
            (.home, .move(.lineStart)), (.shift(.end), .move(.lineEnd, selecting: true)), (.control(.home), .move(.start)),
            (.control(.end), .move(.end)), (.control(.left), .move(.wordLeft)), (.alt(.right), .move(.wordRight)),
            (.shift(.control(.right)), .move(.wordRight, selecting: true)), (.control("a"), .move(.lineStart)),
            (.control("e"), .move(.lineEnd)), (.control("k"), .kill(.lineEnd)), (.control("u"), .kill(.lineStart)),
            (.control("y"), .yank), (.control("_"), .undo), (.alt("_"), .redo), (.alt("b"), .move(.wordLeft)),
            (.alt("d"), .kill(.wordRight)), (.control("d"), .delete(.right)), (.control("h"), .delete(.left)),
            (.control("q"), nil), (.function(3), nil), (.insert, nil), (.control(.up), nil),
        ]
        for (key, edit) in table { expectEqual(TextEdit(key), edit, "\(key)") }
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

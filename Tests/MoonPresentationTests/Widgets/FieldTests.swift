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

    @Test("the prompt, the text and the cursor behind it")
    func text() {
        var stand = Stand<Event>(20, 1)
        #expect(stand.show(field("hello", prompt: "note")) == ["note hello"])
        #expect(stand.canvas.cursor == Point(column: 10, row: 0))
        #expect(stand.show(field("")) == ["type here"])
        #expect(stand.canvas.cursor == Point(column: 0, row: 0))
        #expect(stand.show(field("日本")) == ["日本"])
        #expect(stand.canvas.cursor == Point(column: 4, row: 0))
    }

    @Test("a long text is scrolled so that the cursor can be seen, and no further than that")
    func scrolling() {
        var stand = Stand<Event>(6, 1)
        var input: TextInput = "abcdefghij"
        #expect(stand.show(field(input)) == ["fghij"])
        #expect(stand.canvas.cursor == Point(column: 5, row: 0))
        for _ in 0..<5 { input.apply(.move(.left)) }
        #expect(stand.show(field(input)) == ["fghij"])
        input.apply(.move(.left))
        #expect(stand.show(field(input)) == ["efghij"])
        #expect(stand.canvas.cursor == Point(column: 0, row: 0))
        input.apply(.delete(.end))
        #expect(stand.show(field(input)) == ["abcd"])
        #expect(stand.canvas.cursor == Point(column: 4, row: 0))
    }

    @Test("a wide character that is cut by the edge is not shown in half")
    func wide() {
        var stand = Stand<Event>(4, 1)
        #expect(stand.show(field("日本語")) == [" 語"])
        #expect(stand.canvas.cursor == Point(column: 3, row: 0))
    }

    @Test("there may be no room at all, or none beside the prompt", arguments: [0, 1, 2, 4, 5])
    func narrow(columns: Int) {
        var stand = Stand<Event>(columns, 1)
        let rows = stand.show(field("hello", prompt: "note"))
        #expect(rows == [String("note ".prefix(columns)).trimmingBlanks])
        #expect(stand.canvas.cursor == nil || columns > 5)
        var none = Stand<Event>(columns, 0)
        #expect(none.show(field("hello")) == [])
    }

    @Test("the selection is shown inverse")
    func selection() {
        var stand = Stand<Event>(8, 1)
        var input: TextInput = "a日bc"
        input.apply(.move(.left))
        input.apply(.move(.left, selecting: true))
        input.apply(.move(.left, selecting: true))
        stand.show(field(input, prompt: "p"))
        #expect(stand.canvas.marks(.inverse, row: 0) == "...###..")
    }

    @Test("each character of a secret is a dot, as to the cursor and clicks, too")
    func secret() {
        var stand = Stand<Event>(8, 1)
        #expect(stand.show(field("日本x", isSecret: true)) == ["•••"])
        #expect(stand.canvas.cursor == Point(column: 3, row: 0))
        #expect(stand.mouse(.press(1), 2, 0) == [.edit(.move(.to(6)))])
    }

    @Test("keys are commands; Enter submits")
    func keys() {
        var stand = Stand<Event>(8, 1)
        stand.show(field("x"))
        #expect(stand.press("a", "é", .backspace, .control("w"), .enter).count == 5)
        #expect(stand.press("a") == [.edit(.insert("a"))])
        #expect(stand.press(.enter) == [.submit])
        #expect(stand.press(.shift(.left)) == [.edit(.move(.left, selecting: true))])
        #expect(stand.press(.up, .down, .tab, .escape, .pageUp, .control("x"), .alt("x")) == [])
        stand.show(field("x", submits: false))
        #expect(stand.press(.enter) == [])
    }

    @Test("the arrows go through the history if that is wanted, and are left to others otherwise")
    func history() {
        var stand = Stand<Event>(8, 1)
        stand.show(field(TextInput("x", history: ["y"]), history: true))
        #expect(stand.press(.up, .down) == [.edit(.earlier), .edit(.later)])
        stand.show(field(TextInput("x", history: ["y"])))
        #expect(stand.press(.up, .down) == [])
    }

    @Test("the completion is shown dimmed, and Tab takes it")
    func completion() {
        var stand = Stand<Event>(8, 1)
        #expect(stand.show(field("ap", completions: ["apple"])) == ["apple"])
        #expect(stand.canvas.marks(.dim, row: 0) == "..###...")
        #expect(stand.press(.tab) == [.edit(.complete(["apple"]))])
        #expect(stand.show(field("ap", completions: ["apple"], isSecret: true)) == ["••"])
    }

    @Test("what is pasted becomes one line")
    func paste() {
        var stand = Stand<Event>(8, 1)
        stand.show(field(""))
        #expect(stand.presentation.take(.paste("a\r\nb\nc")) == [.edit(.insert("a b c"))])
    }

    @Test("a click moves the cursor, and dragging selects")
    func mouse() {
        var stand = Stand<Event>(8, 1)
        stand.show(field("a日bcdefghij", prompt: "p"))
        // The prompt takes two columns; "fghij" and the cursor can be seen.
        #expect(stand.canvas.picture == ["p fghij"])
        #expect(stand.mouse(.press(1), 3, 0) == [.edit(.move(.to(9)))])
        #expect(stand.mouse(.move(1), 5, 0) == [.edit(.move(.to(11), selecting: true))])
        #expect(stand.mouse(.press(1), 7, 0) == [.edit(.move(.to(13)))])
        #expect(stand.mouse(.press(3), 7, 0) == [])
    }

    @Test("the table of keys: each key with its command")
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
        for (key, edit) in table { #expect(TextEdit(key) == edit, "\(key)") }
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

import MoonPresentation
import MoonlightTestSupport
import Testing

@Suite("Widgets: form")
struct FormTests {
    private enum Name: Hashable { case street, city }

    private enum Event: Hashable {
        case form(FormEdit<Name>)
        case save
    }

    private func form(_ state: FormState<Name>) -> Form<Name, Event> {
        Form(
            state, [FormField(.street, "Street"), FormField(.city, "City", placeholder: "where?")], edit: Event.form,
            submit: .save)
    }

    @Test("A form shows labels, fields, and problems below them")
    func picture() {
        var stand = Stand<Event>(20, 4)
        var state = FormState<Name>([.street: "Main 1"])
        expectEqual(stand.show(form(state)), ["Street Main 1", "City   where?", "", ""])
        expectEqual(stand.canvas.cursor, Point(column: 13, row: 0))
        state.problems[.street] = "too short"
        expectEqual(stand.show(form(state)), ["Street Main 1", "       too short", "City   where?", ""])
        expectEqual(form(state).naturalSize(in: .zero), NaturalSize(rows: 3))
        expectEqual(stand.canvas.style(at: Point(column: 7, row: 1)).foreground, .red)
    }

    @Test("Events of a form name their field, and Tab leads to the next one")
    func events() {
        var stand = Stand<Event>(20, 4)
        stand.show(form(FormState()))
        expectEqual(stand.press("a"), [.form(FormEdit(.street, .insert("a")))])
        expectEqual(stand.press(.tab, "b", .enter), [.form(FormEdit(.city, .insert("b"))), .save])
        // A problem that appears does not move the focus.
        var state = FormState<Name>()
        state.problems[.street] = "missing"
        stand.show(form(state))
        expectEqual(stand.press("c"), [.form(FormEdit(.city, .insert("c")))])
    }

    @Test("A command changes its field, and clears the field's problem when the text changes")
    func reducer() {
        var state = FormState<Name>([.street: "x"])
        let rules: [Name: (String) -> String?] = [
            .street: { $0.count < 3 ? "too short" : nil }, .city: { $0.isEmpty ? "missing" : nil },
        ]
        let wasRight = state.check(rules)
        expect(!wasRight)
        expectEqual(state.problems, [.street: "too short", .city: "missing"])
        state.apply(FormEdit(.city, .move(.left)))
        expectEqual(state.problems[.city], "missing")
        state.apply(FormEdit(.city, .insert("Rome")))
        expectEqual(state.problems, [.street: "too short"])
        expect(state[.city].text == "Rome" && state[.street].text == "x")
        state[.street] = "Main 1"
        let isRight = state.check(rules)
        expect(isRight && state.problems.isEmpty)
    }

    @Test("A form can be drawn without any room", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 5, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        expectEqual(stand.show(form(FormState([.city: "日本"]))).count, size.rows)
    }
}

import MoonPresentation
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

    @Test("labels, fields, and what is wrong below them")
    func picture() {
        var stand = Stand<Event>(20, 4)
        var state = FormState<Name>([.street: "Main 1"])
        #expect(stand.show(form(state)) == ["Street Main 1", "City   where?", "", ""])
        #expect(stand.canvas.cursor == Point(column: 13, row: 0))
        state.problems[.street] = "too short"
        #expect(stand.show(form(state)) == ["Street Main 1", "       too short", "City   where?", ""])
        #expect(form(state).naturalSize(in: .zero) == NaturalSize(rows: 3))
        #expect(stand.canvas.style(at: Point(column: 7, row: 1)).foreground == .red)
    }

    @Test("events name their field, and Tab leads to the next one")
    func events() {
        var stand = Stand<Event>(20, 4)
        stand.show(form(FormState()))
        #expect(stand.press("a") == [.form(FormEdit(.street, .insert("a")))])
        #expect(stand.press(.tab, "b", .enter) == [.form(FormEdit(.city, .insert("b"))), .save])
        // A problem that appears does not move the focus.
        var state = FormState<Name>()
        state.problems[.street] = "missing"
        stand.show(form(state))
        #expect(stand.press("c") == [.form(FormEdit(.city, .insert("c")))])
    }

    @Test("a command changes its field, and what was wrong with it is forgotten when its text changes")
    func reducer() {
        var state = FormState<Name>([.street: "x"])
        let rules: [Name: (String) -> String?] = [
            .street: { $0.count < 3 ? "too short" : nil }, .city: { $0.isEmpty ? "missing" : nil },
        ]
        let wasRight = state.check(rules)
        #expect(!wasRight)
        #expect(state.problems == [.street: "too short", .city: "missing"])
        state.apply(FormEdit(.city, .move(.left)))
        #expect(state.problems[.city] == "missing")
        state.apply(FormEdit(.city, .insert("Rome")))
        #expect(state.problems == [.street: "too short"])
        #expect(state[.city].text == "Rome" && state[.street].text == "x")
        state[.street] = "Main 1"
        let isRight = state.check(rules)
        #expect(isRight && state.problems.isEmpty)
    }

    @Test("there may be no room", arguments: [Size.zero, Size(columns: 1, rows: 1), Size(columns: 5, rows: 2)])
    func narrow(size: Size) {
        var stand = Stand<Event>(size.columns, size.rows)
        #expect(stand.show(form(FormState([.city: "日本"]))).count == size.rows)
    }
}

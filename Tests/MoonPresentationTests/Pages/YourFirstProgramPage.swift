import MoonPresentation
import MoonPresentationTesting
import Testing

private struct Shopping: Equatable {
    var lines: [String] = []
    var selected = 0
    var draft = TextInput()

    enum Event {
        case select(ListMove)
        case edit(TextEdit)
        case add, remove
    }

    static func update(shopping: inout Shopping, event: Event) {
        switch event {
        case .select(let move): shopping.selected = move.index(from: shopping.selected, count: shopping.lines.count)
        case .edit(let edit): shopping.draft.apply(edit)
        case .add: shopping.lines.append(shopping.draft.submit())
        case .remove:
            guard shopping.lines.indices.contains(shopping.selected) else { return }
            shopping.lines.remove(at: shopping.selected)
            shopping.selected = max(0, min(shopping.selected, shopping.lines.count - 1))
        }
    }
}

private func shoppingProgram() -> Program<Shopping, Shopping.Event, Shopping.Event, Void> {
    Program(Shopping(), update: Shopping.update) { shopping, screen in
        let list = screen.add(List(shopping.lines, selected: shopping.selected, select: Shopping.Event.select))
        let field = screen.add(Field(shopping.draft, prompt: "buy", edit: Shopping.Event.edit, submit: .add))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }
    .keys([.control("d"): .remove], quit: [.escape])
}

@Suite("The page Your first program")
struct YourFirstProgramPage {
    /// The last line of the program: a test has no terminal to run it on.
    func run() throws {
        try shoppingProgram().run()
    }

    @Test func linesAreAddedAndRemoved() throws {
        let pilot = try shoppingProgram().pilot(size: Size(columns: 20, rows: 4))
        pilot.type("milk")
        pilot.press(.enter)
        pilot.type("bread")
        pilot.press(.enter, .down, .control("d"))
        #expect(pilot.state.lines == ["milk"])
        #expect(pilot.frame.rows[0].contains("milk"))
        pilot.press(.escape)
        #expect(pilot.ending == .quit)
    }
}

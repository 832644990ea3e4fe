import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

private struct Memos: Equatable {
    var lines: [String] = []
    var draft = TextInput()
    enum Event {
        case select(ListMove)
        case edit(TextEdit)
        case add, remove
    }
}

private func memos() -> Program<Memos, Memos.Event, Memos.Event, Void> {
    Program(
        Memos(),
        update: { memos, event in
            switch event {
            case .select: break
            case .edit(let edit): memos.draft.apply(edit)
            case .add: memos.lines.append(memos.draft.submit())
            case .remove: memos.lines.removeAll()
            }
        }
    ) { memos, screen in
        let list = screen.add(List(memos.lines, select: Memos.Event.select))
        let field = screen.add(Field(memos.draft, prompt: "note", edit: Memos.Event.edit, submit: .add))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }
    .keys([.control("d"): .remove], quit: [.escape])
}

@Suite("The front page of MoonPresentationTesting")
struct MoonPresentationTestingPage {
    @Test func aLineIsRemoved() throws {
        try Plan(memos(), size: Size(columns: 20, rows: 3))
            .type("milk\n")
            .then(\.lines, equals: ["milk"])
            .looks(
                like: """
                      milk

                    note
                    """
            )
            .fork("the note is not written") { $0.type("tea").press(.escape).hasEnded() }
            .press(.control("d"))
            .then(\.lines, equals: [])
            .run()
    }
}

import MoonPresentation
import MoonPresentationTesting
import Testing

private struct Memos: Equatable {
    var lines: [String] = []
    var draft = TextInput()
    enum Event: Equatable {
        case select(ListMove)
        case edit(TextEdit)
        case add, remove
    }

    static func update(memos: inout Memos, event: Event) {
        switch event {
        case .select: break
        case .edit(let edit): memos.draft.apply(edit)
        case .add: memos.lines.append(memos.draft.submit())
        case .remove: if !memos.lines.isEmpty { memos.lines.removeLast() }
        }
    }
}

private func memos() -> Program<Memos, Memos.Event, Memos.Event, Void> {
    Program(Memos(), update: Memos.update) { memos, screen in
        let list = screen.add(List(memos.lines, select: Memos.Event.select))
        let field = screen.add(Field(memos.draft, prompt: "note", edit: Memos.Event.edit, submit: .add))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }
    .keys([.control("d"): .remove], quit: [.escape])
}

@Suite("The page Testing")
struct TestingPage {
    @Test func aLineIsAdded() throws {
        let pilot = try memos().pilot(size: Size(columns: 20, rows: 3))
        pilot.type("milk")
        pilot.press(.enter)
        #expect(pilot.state.lines == ["milk"])
        try pilot.frame.compare(to: "milk")
    }

    @Test("A view is tested as a program without events")
    func view() throws {
        struct Badge: View {
            var text: String
            init(_ text: String) { self.text = text }
            func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: text.columns, rows: 1) }
            func draw(on surface: inout Surface<Never>) { surface.write(text) }
        }
        @Sendable func update(text: inout String, event: Never) {}
        let badge = Program("3 new", update: update) { text, screen in
            screen.add(Badge(text).centered())
        }
        #expect(try badge.pilot(size: Size(columns: 9, rows: 1)).frame.rows == ["  3 new"])
    }
}

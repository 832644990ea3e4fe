import MoonPresentation
import Testing

private struct Memos: Equatable {
    var lines: [String] = []
    var draft = TextInput()
    enum Event: Equatable { case select(ListMove), edit(TextEdit), add, remove }

    static func update(memos: inout Memos, event: Event) {
        switch event {
        case .select: break
        case .edit(let edit): memos.draft.apply(edit)
        case .add: memos.lines.append(memos.draft.submit())
        case .remove: memos.lines.removeLast()
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
    @Test("a pilot types and looks")
    func pilot() throws {
        let pilot = try memos().pilot(size: Size(columns: 20, rows: 3))
        pilot.type("milk")
        pilot.press(.enter)
        #expect(pilot.state.lines == ["milk"])
        #expect(pilot.frame.text(at: Point(column: 2, row: 0)) == "m" && pilot.frame.cursor == Point(column: 5, row: 2))
    }

    @Test("a plan can press keys and look at frames")
    func plans() throws {
        let program = memos()
        let removal = try #require(program.event(for: .control("d"), in: Memos(lines: ["milk"])))
        #expect(removal == .remove)
        let frame = try program.frame(of: Memos(lines: ["milk"]), size: Size(columns: 20, rows: 3))
        #expect(frame.text(at: Point(column: 2, row: 0)) == "m")
        #expect(program.event(for: .escape, in: Memos()) == nil && program.event(for: "x", in: Memos()) == nil)
    }

    @Test("a counter of one line, as on the page for those who know Bubble Tea")
    func counter() throws {
        let pilot = try Program(0, update: { count, step in count += step }) { count, screen in
            screen.add(Text("\(count)"))
        }
        .keys(["+": 1, "-": -1], quit: ["q"]).pilot()
        pilot.press("+", "+", "-", "+")
        #expect(pilot.state == 2 && pilot.frame.text(at: .zero) == "2")
        pilot.press("q")
        #expect(pilot.ending == .quit)
    }
}

import MoonPresentation

struct Notes: Equatable {
    var lines: [String] = []
    var selected = 0
    var draft = TextInput()
}

enum Event {
    case select(ListMove)
    case edit(TextEdit)
    case add
    case remove
}

func update(notes: inout Notes, event: Event) {
    switch event {
    case .select(let move): notes.selected = move.index(from: notes.selected, count: notes.lines.count)
    case .edit(let edit): notes.draft.apply(edit)
    case .add: notes.lines.append(notes.draft.submit())
    case .remove: if notes.lines.indices.contains(notes.selected) { notes.lines.remove(at: notes.selected) }
    }
}

try Program(Notes(), update: update) { notes, screen in
    let list = screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
    let field = screen.add(Field(notes.draft, prompt: "note", edit: Event.edit, submit: .add))
    list.constrain(.all(except: .bottom), to: screen)
    list.constrain(.bottom, to: field, edge: .top)
    field.constrain(.all(except: .top), to: screen)
}
.keys([.control("d"): .remove], quit: [.escape]).run()

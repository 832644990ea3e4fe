// A filtered list, with a confirmation before a note is removed.
//
//     swift run notes                type to filter, Enter adds, Ctrl-D removes the selected note
import MoonPresentation

struct Notes: Equatable {
    var lines = ["buy milk", "call the moon", "water the plants"]
    var input = TextInput()
    var selected = 0
    /// The place of the note to remove, until the user confirms.
    var doomed: Int?

    /// The places of the notes that the list shows.
    var places: [Int] { lines.indices.filter { input.isEmpty || lines[$0].contains(input.text.lowercased()) } }
    var shown: [String] { places.map { lines[$0] } }
}

enum Event {
    case edit(TextEdit)
    case select(ListMove)
    case add
    case remove
    case confirm
    case keep
}

func update(notes: inout Notes, event: Event) {
    switch event {
    case .edit(let edit): notes.input.apply(edit)
    case .select(let move): notes.selected = move.index(from: notes.selected, count: notes.shown.count)
    case .add: if !notes.input.isEmpty { notes.lines.append(notes.input.submit().lowercased()) }
    case .remove: notes.doomed = notes.places.indices.contains(notes.selected) ? notes.places[notes.selected] : nil
    case .confirm:
        if let place = notes.doomed { notes.lines.remove(at: place) }
        notes.doomed = nil
    case .keep: notes.doomed = nil
    }
    notes.selected = max(0, min(notes.selected, notes.shown.count - 1))
}

func program() -> Program<Notes, Event, Event, Void> {
    Program(Notes(), update: update) { notes, screen in
        let field = screen.add(Field(notes.input, prompt: "note", edit: Event.edit, submit: .add))
        let list = screen.add(List(notes.shown, selected: notes.selected, select: Event.select))
        let help = screen.add(Text("Enter add  Ctrl-D remove  Esc quit", style: .dim))
        // The list gets the rows that the field and the help leave.
        field.constrain(.all(except: .bottom), to: screen)
        list.constrain([.left, .right], to: screen)
        list.constrain(.top, to: field, edge: .bottom)
        list.constrain(.bottom, to: help, edge: .top)
        help.constrain(.all(except: .top), to: screen)
        if let place = notes.doomed {
            screen.add(
                Dialog(title: "Remove?", cancel: Event.keep) {
                    Text(notes.lines[place])
                    Columns(spacing: 2) {
                        Button("Remove", press: Event.confirm)
                        Button("Keep", press: Event.keep)
                    }
                })
        }
    }
    .keys([.control("d"): .remove], quit: [.escape])
}

@main struct Main {
    static func main() throws { try program().run() }
}

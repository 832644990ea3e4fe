import Harness
import MoonPresentation
import MoonPresentationTesting

// Frames of an 80 x 24 terminal, from the state to the cells: a list of a thousand rows above a field.

func frames() -> [Work] {
    [
        presented(.equalFrame) { _ in nil },
        presented(.movedFrame) { number in .select(.to(number % 20)) },
        presented(.scrolledFrame) { number in .select(.to(number % 1_000)) },
        Work.prepared(.pilotFrame, library) { () -> (Int) -> Void in
            guard let pilot = try? notesProgram.pilot(size: size) else { preconditionFailure("the program's keys are wrong") }
            var number = 0
            return { n in
                for _ in 0..<n {
                    // Down and up again, so that each key moves the selection.
                    pilot.press(number / 900 % 2 == 0 ? .down : .up)
                    number += 1
                    mix(pilot.frame.cursor?.column ?? 0, into: total)
                }
            }
        },
    ]
}

private let size = Size(columns: 80, rows: 24)

private struct Notes: Equatable, Sendable {
    var lines = (0..<1_000).map { "row \($0): some text of a usual length, which reaches nearly to the right edge" }
    var selected = 0
    var draft = TextInput("a note")

    enum Event: Sendable {
        case select(ListMove)
        case edit(TextEdit)
    }

    static func update(notes: inout Notes, event: Event) {
        switch event {
        case .select(let move): notes.selected = move.index(from: notes.selected, count: notes.lines.count)
        case .edit(let edit): notes.draft.apply(edit)
        }
    }

    static func build(_ notes: Notes, _ screen: LayoutScreen<Event>) {
        let list = screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
        let field = screen.add(Field(notes.draft, prompt: "note", edit: Event.edit))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }
}

private var notesProgram: Program<Notes, Notes.Event, Notes.Event, Void> {
    Program(Notes(), update: Notes.update, Notes.build)
}

/// Renders consecutive frames, each after an event, if there is one.
private func presented(_ row: Harness.Row, _ event: @escaping (Int) -> Notes.Event?) -> Work {
    Work.prepared(row, library) { () -> (Int) -> Void in
        guard let pilot = try? notesProgram.pilot(size: size) else { preconditionFailure("the program's keys are wrong") }
        var number = 0
        return { n in
            for _ in 0..<n {
                number += 1
                if let event = event(number) { pilot.store.send(event) }
                mix(pilot.frame.cursor?.column ?? 0, into: total)
            }
        }
    }
}

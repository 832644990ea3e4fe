import MoonPresentation
import MoonPresentationTesting
import MoonlightTesting
import Testing

@testable import NotesSample

@Suite("Samples: notes")
struct NotesTests {
    @Test("The list is filtered while the user types, and Enter adds a note")
    func filter() throws {
        try Plan(program(), size: Size(columns: 40, rows: 6))
            .type("moon")
            .looks(like: "note moon\n> call the moon\n\n\n\nEnter add  Ctrl-D remove  Esc quit")
            .press(.enter)
            .then(\.lines.last, equals: "moon")
            .run()
    }

    @Test("A note is removed when the user confirms it, and kept otherwise")
    func removal() throws {
        try Plan(program(), size: Size(columns: 40, rows: 10))
            .press(.down, .control("d"))
            .frame { try $0.compare(toPictureOf: "notes", "A list of notes, and the question whether one is to be removed") }
            .fork("Escape") { $0.press(.escape).then(\.doomed, equals: nil).then(\.lines.count, equals: 3) }
            .press(.enter)
            .then(\.lines, equals: ["buy milk", "water the plants"])
            .run()
    }

    @Test("Of equal notes, only the selected one is removed")
    func equalNotes() throws {
        try Plan(program(), size: Size(columns: 40, rows: 10))
            .type("buy milk\n")
            .press(.control("d"), .enter)
            .then(\.lines, equals: ["call the moon", "water the plants", "buy milk"])
            .run()
    }
}

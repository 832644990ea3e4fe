import MoonPresentation
import Moonlight
import Streams

/// A small program for tests: lines that are typed, with two modes.
struct Notes: Equatable, Sendable {
    enum Mode: Hashable, Sendable { case browse, type }

    enum Event: Equatable, Sendable {
        case down, up, remove, write, browse
        case typed(Character)
        case pasted(String)
        case fail
        case slow
    }

    enum Effect: Equatable, Sendable {
        case moved(Int)
        case removed
        case mode(Mode)
        case text(String)
        case failed
    }

    var lines = ["one", "two", "three"]
    var selected = 0
    var mode = Mode.browse
    var draft = ""
    var hasFailed = false

    static let reducer = Reducer<Notes, Event, Effect, Void>(
        transform: { state, event, _ in
            switch event {
            case .down: Just(.moved(1)).eraseToAnyPublisher()
            case .up: Just(.moved(-1)).eraseToAnyPublisher()
            case .remove: Just(.removed).eraseToAnyPublisher()
            case .write: Just(.mode(.type)).eraseToAnyPublisher()
            case .browse: Just(.mode(.browse)).eraseToAnyPublisher()
            case .typed(let character): Just(.text(String(character))).eraseToAnyPublisher()
            case .pasted(let text): Just(.text("<\(text)>")).eraseToAnyPublisher()
            case .fail: Just(.failed).eraseToAnyPublisher()
            case .slow: Empty(completeImmediately: false).eraseToAnyPublisher()
            }
        },
        apply: { (state: inout Notes, effect: Effect) in
            switch effect {
            case .moved(let step): state.selected = min(max(0, state.selected + step), state.lines.count - 1)
            case .removed: if state.lines.indices.contains(state.selected) { state.lines.remove(at: state.selected) }
            case .mode(let mode): state.mode = mode
            case .text(let text): state.draft += text
            case .failed: state.hasFailed = true
            }
        })

    struct Failure: Error, Equatable {}

    /// The lines with a mark at the selected one, and the draft below them.
    static var program: Program<Notes, Event, Effect, Void> {
        Program(reducer, initialState: Notes(), environment: ()) { notes, screen in
            if notes.hasFailed { throw Failure() }
            screen.title = "Notes"
            screen.add(NoteRows(rows: rows(of: notes)))
        }
        .keys(
            by: \.mode,
            [
                .browse: [
                    .key("j", .down, sends: .down, help: "down"), .key("k", .up, sends: .up), .key("i", sends: .write),
                    .key("!", sends: .fail),
                ],
                .type: [.escape: .browse],
            ]
        )
        .keys([.control("d"): .remove], quit: ["q", .control("q")])
        .otherInput { notes, input in
            switch input {
            case .key(let key) where notes.mode == .type && key.modifiers.isEmpty:
                if case .character(let character) = key.code { .typed(character) } else { nil }
            case .paste(let text): .pasted(text)
            default: nil
            }
        }
    }

    static func rows(of notes: Notes) -> [String] {
        notes.lines.enumerated().map { ($0 == notes.selected ? "> " : "  ") + $1 } + ["\(notes.mode): \(notes.draft)"]
    }
}

/// Rows of text.
struct NoteRows<Event: Sendable>: View {
    var rows: [String]
    func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: room.columns, rows: rows.count) }
    func draw(on surface: inout Surface<Event>) {
        for (index, row) in rows.enumerated() { surface.write(row, at: Point(column: 0, row: index)) }
    }
}

import MoonPresentation
import MoonPresentationTesting

/// A list of 1,000 rows above a field.
private struct Notes: Equatable, Sendable {
    var lines = (0..<1_000).map { "row \($0): some text of a usual length, which reaches nearly to the right edge" }
    var selected = 0
    var draft = TextInput("a note")

    static func build(_ notes: Notes, _ screen: LayoutScreen<Event>) {
        let list = screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
        let field = screen.add(Field(notes.draft, prompt: "note", edit: Event.edit))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }

    enum Event: Sendable {
        case select(ListMove)
        case edit(TextEdit)
    }
}

/// A program of the list.
private func program() -> Program<Notes, Notes.Event, Notes.Event, Void> {
    Program(
        Notes(),
        update: { notes, event in
            if case .select(let move) = event { notes.selected = move.index(from: notes.selected, count: 1_000) % 999 }
        }, Notes.build)
}

/// Measures an event and the frame after it: views are built, laid out, drawn and encoded as bytes.
func measureViews(_ size: Size) {
    guard let pilot = try? program().pilot(size: size) else { preconditionFailure("the program has no keys") }
    var writer = FrameWriter(capabilities: TerminalCapabilities())
    var bytes = 0
    var changed = Duration.seconds(9)
    var same = Duration.seconds(9)
    // Many short rounds, of which the shortest is the least disturbed.
    for _ in 0..<500 {
        changed = min(
            changed,
            ContinuousClock().measure {
                for _ in 0..<20 {
                    pilot.store.send(.select(.down))
                    bytes += writer.bytes(for: pilot.frame).count
                }
            })
        same = min(
            same,
            ContinuousClock().measure {
                for _ in 0..<20 { bytes += writer.bytes(for: pilot.frame).count }
            })
    }
    print(
        "\(size.columns) x \(size.rows): a frame of a list that scrolls \(changed / 20), \(bytes / 10_000) bytes; of an equal state \(same / 20)"
    )
}

/// Renders frames of an unchanged state, to count allocations.
func repeatViews(_ count: Int) {
    guard let pilot = try? program().pilot(size: Size(columns: 80, rows: 24)) else { return }
    for _ in 0..<count { _ = pilot.frame }
}

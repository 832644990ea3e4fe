import MoonPresentation

/// A list of 1,000 rows above a field, as programs have it.
private struct Notes: Equatable {
    var lines = (0..<1_000).map { "row \($0): some text of a usual length, which reaches nearly to the right edge" }
    var selected = 0
    var draft: TextInput = "a note"

    static func build(_ notes: Notes, _ screen: LayoutScreen<Event>) {
        let list = screen.add(List(notes.lines, selected: notes.selected, select: Event.select))
        let field = screen.add(Field(notes.draft, prompt: "note", edit: Event.edit))
        list.constrain(.all(except: .bottom), to: screen)
        list.constrain(.bottom, to: field, edge: .top)
        field.constrain(.all(except: .top), to: screen)
    }

    enum Event {
        case select(ListMove)
        case edit(TextEdit)
    }
}

/// The time of a frame of views: built, laid out, drawn, and turned into bytes.
func measureViews(_ size: Size) {
    var (presentation, writer) = (Presentation<Notes.Event>(), FrameWriter(capabilities: TerminalCapabilities()))
    var (notes, bytes) = (Notes(), 0)
    var (changed, same) = (Duration.seconds(9), Duration.seconds(9))
    // Many short rounds, so that the shortest is one in which nothing else ran.
    for _ in 0..<500 {
        changed = min(
            changed,
            ContinuousClock().measure {
                for _ in 0..<20 {
                    notes.selected = ListMove.down.index(from: notes.selected, count: 1_000) % 999
                    bytes += writer.bytes(for: presentation.frame(of: notes, size, Notes.build)).count
                }
            })
        same = min(
            same,
            ContinuousClock().measure {
                for _ in 0..<20 { bytes += writer.bytes(for: presentation.frame(of: notes, size, Notes.build)).count }
            })
    }
    print(
        "\(size.columns) x \(size.rows): a frame of a list that scrolls \(changed / 20), \(bytes / 10_000) bytes; of an equal state \(same / 20)"
    )
}

/// Makes a frame of an equal state again and again, for a count of allocations.
func repeatViews(_ count: Int) {
    var (presentation, notes) = (Presentation<Notes.Event>(), Notes())
    for _ in 0..<count { _ = presentation.frame(of: notes, Size(columns: 80, rows: 24), Notes.build) }
    notes.selected += 1
}

import MoonPresentation
import Testing

@Suite("The page Widgets")
struct WidgetsPage {
    struct Notes: Equatable {
        var lines: [String] = []
        var selected = 0
        var draft = TextInput()
    }

    enum Event {
        case select(ListMove)
        case edit(TextEdit)
        case add
    }

    static func update(notes: inout Notes, event: Event) {
        switch event {
        case .select(let move): notes.selected = move.index(from: notes.selected, count: notes.lines.count)
        case .edit(let edit): notes.draft.apply(edit)
        case .add: notes.lines.append(notes.draft.submit())
        }
    }

    @Test("Commands of widgets are applied to the state")
    func commands() {
        var notes = Notes()
        for event in [Event.edit(.insert("tea")), .add, .edit(.insert("milk")), .add, .select(.down)] {
            Self.update(notes: &notes, event: event)
        }
        #expect(notes == Notes(lines: ["tea", "milk"], selected: 1, draft: notes.draft) && notes.draft.isEmpty)
    }

    private struct Search: Equatable {
        var isSearching = true
        var search: TextInput = "te"
        var lines = ["tea", "milk"]
        enum Event: Equatable {
            case search(TextEdit)
            case select(ListMove)
            case find
        }
    }

    @Test("A field that appears has the focus")
    func search() {
        typealias Event = Search.Event
        var stand = Stand<Event>(12, 3)
        func show(_ state: Search) -> [String] {
            stand.show(
                Rows {
                    List(state.lines, selected: 0, select: Event.select)
                    if state.isSearching {
                        Field(state.search, prompt: "/", edit: Event.search, submit: .find).focused(when: true)
                    }
                })
        }
        #expect(show(Search(isSearching: false)) == ["> tea", "  milk", ""])
        #expect(stand.press(.down) == [.select(.down)])
        #expect(show(Search()) == ["> tea", "  milk", "/ te"])
        #expect(stand.press("a", .enter) == [.search(.insert("a")), .find])
    }

    private struct Removal {
        var isRemoving = true
        enum Event: Equatable { case remove, keep }
    }

    @Test("A dialog is shown while the state says so, and Escape sends its event")
    func dialog() {
        typealias Event = Removal.Event
        var stand = Stand<Event>(40, 9)
        func show(_ state: Removal) -> [String] {
            stand.show { screen in
                screen.add(Text("tea"))
                if state.isRemoving {
                    screen.add(
                        Dialog(title: "Remove?", cancel: Event.keep) {
                            Text("The note is removed for good.")
                            Columns(spacing: 2) {
                                Button("Remove", press: Event.remove)
                                Button("Keep", press: Event.keep)
                            }
                        })
                }
            }
        }
        #expect(!show(Removal(isRemoving: false)).contains { $0.contains("Remove?") })
        #expect(show(Removal()).contains { $0.contains("Remove?") })
        #expect(stand.press(.enter, .escape) == [.remove, .keep])
    }

    struct Stars: View {
        var count: Int

        func naturalSize(in room: Size) -> NaturalSize { NaturalSize(columns: 5, rows: 1) }

        func draw(on surface: inout Surface<Int>) {
            surface.write(String(repeating: "★", count: count), style: surface.isFocused ? .bold : .plain)
            surface.onInput { input in
                switch input {
                case .key(.right): [1]
                case .key(.left): [-1]
                default: nil  // not handled: other views receive it
                }
            }
        }
    }

    @Test("A custom widget draws itself and handles keys")
    func stars() {
        var stand = Stand<Int>(5, 1)
        #expect(stand.show(Stars(count: 3)) == ["★★★"])
        #expect(stand.canvas.marks(.bold, row: 0) == "###..")
        #expect(stand.press(.right, .left, "x") == [1, -1])
    }
}

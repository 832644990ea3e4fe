import MoonPresentation
import MoonPresentationTesting
import Testing

/// The pictures of the page *Widgets*. `RECORD_FRAMES=1` rewrites them.
@Suite("Widgets: pictures of the documentation")
struct WidgetPicturesTests {
    enum Event: Hashable, Sendable {
        case list(ListMove)
        case edit(TextEdit)
        case tree(TreeMove)
        case form(FormEdit<String>)
        case press
    }

    /// A picture: its name, title, size, keys to press first, and views.
    struct Shot: Sendable, CustomTestStringConvertible {
        let name: String
        let title: String
        let size: Size
        var keys: [Key] = []
        let build: @Sendable (LayoutScreen<Event>) -> Void

        var testDescription: String { name }
    }

    static let shots = texts + rows + meters + containers

    @Test("Each picture of the page *Widgets* is what the widget draws", arguments: shots)
    func picture(shot: Shot) throws {
        var presentation = Presentation<Event>()
        var frame = presentation.frame(shot.size, shot.build)
        for key in shot.keys {
            _ = presentation.take(.key(key))
            frame = presentation.frame(shot.size, shot.build)
        }
        #expect(presentation.issues.isEmpty)
        try frame.compareSVG(
            at: "../../../Sources/MoonPresentation/MoonPresentation.docc/Resources/widget-\(shot.name).svg", title: shot.title)
    }

    // MARK: - The views

    private static let texts = [
        Shot(name: "text", title: "A text that is wrapped, and one at the right", size: Size(columns: 36, rows: 4)) { screen in
            screen.add(
                Rows {
                    Text(
                        "Nothing here yet. Press " + StyledText("n", .bold) + " for a note, or " + StyledText("q", .bold)
                            + " to leave.")
                    Text("3 errors", style: Style(foreground: .red) + .bold, alignment: .right)
                })
        },
        Shot(name: "field", title: "A field with a prompt, a selection and a completion", size: Size(columns: 36, rows: 3)) {
            screen in
            var selected: TextInput = "replace this word"
            selected.apply(.move(.wordLeft, selecting: true))
            let fixed = selected
            screen.add(
                Rows(spacing: 1) {
                    Field(fixed, prompt: "note", edit: Event.edit)
                    Field("git sta", prompt: "$", completions: ["git status"], edit: Event.edit).focused(when: true)
                })
        },
        Shot(name: "area", title: "An area with wrapped lines and a scroll bar", size: Size(columns: 30, rows: 5)) { screen in
            screen.add(
                TextArea(
                    "Dear reader,\n\nthe lines of an area are wrapped between words, and its cursor moves through rows.\n\nYours",
                    scrollBar: true, edit: Event.edit))
        },
    ]

    private static let rows = [
        Shot(name: "list", title: "A list with a selected row and a scroll bar", size: Size(columns: 30, rows: 5)) { screen in
            let plants = ["fern", "moss", "日本の楓", "thyme", "sage", "basil", "mint"]
            screen.add(List(plants, selected: 2, scrollBar: true, select: Event.list))
        },
        Shot(name: "table", title: "A table with numbers at the right", size: Size(columns: 36, rows: 4)) { screen in
            let files = [("README.md", 13_524), ("Package.swift", 8_120), ("LICENSE", 1_069)]
            screen.add(
                Table(
                    files, selected: 1, spacing: 2, select: Event.list,
                    columns: [
                        TableColumn("Name") { StyledText($0.0) },
                        TableColumn("Bytes", width: .content, alignment: .right) { StyledText("\($0.1)") },
                    ]))
        },
        Shot(name: "tree", title: "A tree with an expanded folder", size: Size(columns: 30, rows: 5)) { screen in
            let roots = [
                TreeNode(
                    "Sources", "Sources",
                    children: [TreeNode("Views", "Views", children: [TreeNode("a", "a")]), TreeNode("b", "main.swift")]),
                TreeNode("Tests", "Tests", children: [TreeNode("t", "t")]), TreeNode("README", "README.md"),
            ]
            screen.add(Tree(roots, state: TreeState(expanded: ["Sources"], selected: "Views"), move: Event.tree))
        },
        Shot(name: "tabs", title: "Three tabs, the second one selected", size: Size(columns: 36, rows: 1)) { screen in
            screen.add(Tabs(["Inbox", "Sent", "Drafts"], selected: 1, select: Event.list))
        },
        Shot(name: "help", title: "A row of keys and what they do", size: Size(columns: 44, rows: 1)) { screen in
            let keys: KeyTable<Event> = [
                .key("n", sends: .press, help: "new"), .key(.control("d"), sends: .press, help: "remove"),
                .quit("q", help: "quit"),
            ]
            screen.add(HelpView(keys))
        },
        Shot(name: "log", title: "The last lines of a log", size: Size(columns: 36, rows: 4)) { screen in
            var log = LogLines()
            for number in 1...9 {
                log.append(StyledText("12:00:0\(number) ", .dim) + StyledText("GET /orders/\(number) 200"))
            }
            screen.add(LogView(log, scrollBar: true))
        },
    ]

    private static let meters = [
        Shot(name: "progress", title: "A bar at 62 percent, and a spinner", size: Size(columns: 36, rows: 2)) { screen in
            screen.add(
                Rows {
                    ProgressBar(0.62, style: Style(foreground: .green))
                    Spinner(step: 3, label: "loading")
                })
        },
        Shot(name: "chart", title: "A row of blocks above bars", size: Size(columns: 36, rows: 7)) { screen in
            let values = [3, 5, 9, 12, 10, 7, 4, 6, 11, 16, 14, 8]
            screen.add(
                Rows(spacing: 1) {
                    Chart(values.map(Double.init), style: Style(foreground: .cyan)).length(.cells(1))
                    Chart(values.map(Double.init), barWidth: 2, spacing: 1, style: Style(foreground: .blue))
                })
        },
    ]

    private static let containers = [
        Shot(name: "viewport", title: "A text with a scroll bar", size: Size(columns: 30, rows: 5), keys: [.down, .down, .down]) {
            screen in
            screen.add(
                Viewport(scrollBars: true) { Text((1...12).map { "line \($0) of twelve" }.joined(separator: "\n")) }
                    .border(.rounded, title: "Page"))
        },
        Shot(
            name: "form", title: "A form with a problem, a toggle and two buttons", size: Size(columns: 36, rows: 7), keys: [.tab]
        ) { screen in
            var form = FormState<String>(["street": "Pikk 1"])
            form.problems["city"] = "This is needed."
            let fixed = form
            screen.add(
                Rows(spacing: 1) {
                    Form(fixed, [FormField("street", "Street"), FormField("city", "City")], edit: Event.form)
                    Toggle("as a gift", isOn: true, flip: Event.press)
                    Columns(spacing: 2) {
                        Button("Save", press: Event.press)
                        Button("Cancel", press: Event.press)
                    }
                })
        },
        Shot(name: "dialog", title: "A dialog over a list", size: Size(columns: 40, rows: 8)) { screen in
            screen.add(List(["fern", "moss", "thyme", "sage", "basil", "mint", "dill", "rue"], selected: 3, select: Event.list))
            screen.add(
                Dialog(title: "Remove?", cancel: Event.press) {
                    Text("sage is removed for good.")
                    Columns(spacing: 2) {
                        Button("Remove", press: Event.press)
                        Button("Keep", press: Event.press)
                    }
                })
        },
    ]
}

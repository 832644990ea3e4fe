// Pages with tabs, and the focus among the views of a page.
//
//     swift run tabs                 Tab moves the focus; Left and Right switch pages while the tabs have it
import MoonPresentation

struct Settings: Equatable {
    var page = 0
    var name = TextInput("Luna")
    var about = TextInput("Has no light of its own.\nShines all the same.")
    var isDark = true
    var hasSound = false
}

enum Event {
    case page(ListMove)
    case name(TextEdit)
    case about(TextEdit)
    case flipDark
    case flipSound
}

func update(settings: inout Settings, event: Event) {
    switch event {
    case .page(let move): settings.page = move.index(from: settings.page, count: 3)
    case .name(let edit): settings.name.apply(edit)
    case .about(let edit): settings.about.apply(edit)
    case .flipDark: settings.isDark.toggle()
    case .flipSound: settings.hasSound.toggle()
    }
}

func program() -> Program<Settings, Event, Event, Void> {
    Program(Settings(), update: update) { settings, screen in
        screen.title = "Settings"
        screen.add(
            Rows(spacing: 1) {
                Tabs(["Profile", "Options", "Keys"], selected: settings.page, select: Event.page)
                switch settings.page {
                case 0:
                    Field(settings.name, prompt: "Name", edit: Event.name)
                    TextArea(settings.about, edit: Event.about).border(.rounded, title: "About").length(.cells(5))
                case 1:
                    Toggle("Dark", isOn: settings.isDark, flip: Event.flipDark)
                    Toggle("Sound", isOn: settings.hasSound, flip: Event.flipSound)
                default:
                    Grid(columns: [.content, .share()], spacing: 2) {
                        Text("Tab", style: .bold)
                        Text("next view")
                        Text("Esc", style: .bold)
                        Text("quit")
                    }
                }
            })
    }
    .keys([], quit: [.escape])
}

@main struct Main {
    static func main() throws { try program().run() }
}

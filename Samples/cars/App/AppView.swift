import MoonPresentation
import Moonlight
import SampleSupport
import Streams

/// The screen that the route names, in a terminal: the view of a module between a title and the keys.
struct AppView {
    let app: App

    /// The keys, which depend on what is in front.
    var keys: KeyTable<AppEvent> {
        switch app.route.last {
        case nil:
            [
                .key(.right, sends: .list(.open)), .key(.enter, sends: .list(.open), help: "details"),
                .key("r", sends: .load, help: "reload"), .quit("q", help: "quit"),
            ]
        case .details:
            [
                .key(.left, sends: .details(.previousColour)),
                .key(.right, sends: .details(.nextColour)),
                .key("o", .enter, sends: .details(.order), help: "order"), .key(.escape, .backspace, sends: .back, help: "back"),
                .quit("q", help: "quit"),
            ]
        case .order: [.key(.escape, sends: .back, help: "back")]
        }
    }

    /// In a low window, what matters least gives way: the title and the keys.
    func body(in size: Size, refusal: String?) -> Rows<AppEvent> {
        let isRoomy = size.rows > 6
        return Rows {
            if isRoomy { Text(app.screen.title + "\n", style: .bold, wraps: false) }
            module
            if isRoomy {
                Text(refusal.map { StyledText($0, .alert) } ?? StyledText(app.notice ?? "", .accent), wraps: false)
                HelpView(help)
            }
        }
    }

    /// The keys by what they do: also those of the views, and two that belong together.
    private var help: [KeyHelp] {
        switch app.route.last {
        case nil: [KeyHelp(keys: ["↑", "↓"], text: "select")] + keys.help
        case .details: [KeyHelp(keys: ["←", "→"], text: "colour")] + keys.help
        case .order: [KeyHelp(keys: ["Enter"], text: "order")] + keys.help + [KeyHelp(keys: ["Ctrl-C"], text: "quit")]
        }
    }

    @ViewBuilder<AppEvent> private var module: [ViewBuilder<AppEvent>.Child] {
        switch app.route.last {
        case nil: app.list.view.map(AppEvent.list)
        case .details(let details): details.view.map(AppEvent.details)
        case .order(let form): form.view.map(AppEvent.order)
        }
    }

    /// The program in a terminal.
    static func program(
        _ actions: Actions, _ options: LoopOptions<App, AppEvent, AppEffect> = LoopOptions()
    ) -> Program<App, AppEvent, AppEffect, Actions> {
        Program(App.reducer, initialState: App(), environment: actions, options: options) { state, screen in
            screen.add(AppView(app: state).body(in: screen.size, refusal: screen.notes.last))
        }
        .keys([], quit: [.control("d")])
        .keys(in: { AppView(app: $0).keys })
        .notes { if case .rejected(_, let error) = $0.step { CarsProgram.reason(error) } else { nil } }
        .feedback { _, _ in [Just(.load).eraseToAnyPublisher()] }
    }
}

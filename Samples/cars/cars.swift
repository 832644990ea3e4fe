// An app of modules. Each has its state, reducer and view in one file, and is independent of the others. The coordinator decides
// which module is shown.
//
//     swift run cars                 Enter opens, o orders, Esc goes back
import MoonPresentation
import Moonlight
import Streams

func program(_ world: World) -> Program<App, AppEvent, AppEffect, World> {
    Program(App.reducer, initialState: App(), environment: world) { app, screen in
        screen.add(
            Rows {
                Text(app.title, style: .bold).padding(Insets(bottom: 1))
                switch app.route.last {
                case nil: CarListView(list: app.list).map(AppEvent.list).length(.share())
                case .details(let details): CarDetailsView(details: details).map(AppEvent.details).length(.share())
                case .order(let form): OrderFormView(form: form).map(AppEvent.order).length(.share())
                }
                Text(screen.notes.last ?? app.notice ?? "", style: Style(foreground: .cyan))
                HelpView(app.keys)
            })
    }
    .keys([], quit: [.control("d")])
    .keys(in: \.keys)
    // The reason of a rejected event stays on the screen until the next change.
    .notes { if case .rejected(_, let error) = $0.step { "\((error as? Rejection)?.reason ?? "\(error)")" } else { nil } }
    .feedback { _, _ in [.just(.load)] }
}

extension App {
    var title: String {
        switch route.last {
        case nil: "Cars"
        case .details(let details): details.car.name
        case .order: "Order"
        }
    }

    var keys: KeyTable<AppEvent> {
        switch route.last {
        case nil:
            [
                .key(.enter, sends: .list(.open), help: "details"), .key("r", sends: .load, help: "reload"),
                .quit("q", help: "quit"),
            ]
        case .details:
            [
                .key(.right, sends: .details(.nextColour), help: "colour"),
                .key("o", .enter, sends: .details(.order), help: "order"),
                .key(.escape, sends: .back, help: "back"), .quit("q", help: "quit"),
            ]
        case .order: [.key(.escape, sends: .back, help: "back")]
        }
    }
}

@main struct Main {
    static func main() throws { try program(.live()).run() }
}

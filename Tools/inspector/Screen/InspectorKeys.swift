import MoonPresentation

extension Inspector {
    private typealias Keys = KeyTable<InspectorEvent>

    /// The keys of a place, those that matter most first: the row at the bottom shows as many of them as there is room for.
    static func keys(of place: Place) -> KeyTable<InspectorEvent> {
        switch place {
        case .pane(let pane): KeyTable(common + moves + own(pane))
        case .prompt: KeyTable(prompt)
        case .reading: KeyTable(reading)
        case .help: KeyTable([.key("?", "q", .enter, .escape, sends: .cancel, help: "close")])
        }
    }

    /// All places, for the program's tables.
    static let places: [Place] = Pane.allCases.map(Place.pane) + [.prompt, .reading, .help]

    private static let common: [Keys.Line] = [
        .key("?", sends: .help, help: "help"),
        .key(.tab, sends: .turn(by: 1), help: "next pane"),
        .key("/", sends: .ask(.search), help: "search"),
        .key("g", sends: .ask(.step), help: "go to a step"),
        .key("b", sends: .ask(.predicate), help: "bisect: since when is it so?"),
        .key("m", sends: .mark, help: "mark, to compare with"),
        .quit("q", help: "quit"),
        .key("n", sends: .again(isForward: true), help: "search on"),
        .key("N", sends: .again(isForward: false), help: "search back"),
        .key(.backspace, sends: .back, help: "back to where a jump began"),
        .key("F", sends: .followEnd, help: "follow the end of the file"),
        .key("s", sends: .read(.story), help: "the story up to the step"),
        .key("p", sends: .read(.plan), help: "a test up to the step"),
        .key(.shift(.tab), sends: .turn(by: -1), help: "pane before"),
        .key(.escape, sends: .cancel, help: "end a search"),
    ]

    /// Moves by a page are of the height of the pane, which the list knows: it takes these keys first.
    private static let moves: [Keys.Line] = [
        .key(.up, "k", sends: .move(.up), help: "up"),
        .key(.down, "j", sends: .move(.down), help: "down"),
        .key(.pageUp, sends: .move(.by(-20)), help: "a page up"),
        .key(.pageDown, sends: .move(.by(20)), help: "a page down"),
        .key(.home, sends: .move(.first), help: "to the beginning"),
        .key(.end, "G", sends: .move(.last), help: "to the end"),
    ]

    private static func own(_ pane: Pane) -> [Keys.Line] {
        switch pane {
        case .steps:
            [
                .key(.left, "h", sends: .toCause, help: "to what caused it"),
                .key(.right, "l", sends: .toConsequence, help: "to what it caused"),
                .key(.enter, sends: .open, help: "to the state"),
            ]
        case .state:
            [
                .key(.left, "h", sends: .fold(.close), help: "close"), .key(.right, "l", sends: .fold(.open), help: "open"),
                .key(" ", sends: .fold(.toggle), help: "open or close"), .key(.enter, sends: .open, help: "the whole value"),
            ]
        case .difference: [.key(.enter, sends: .open, help: "both values as a whole")]
        case .cause: [.key(.enter, sends: .open, help: "to that step")]
        }
    }

    /// Tab stays where it is: the question is to be answered first.
    private static let prompt: [Keys.Line] = [
        .key(.enter, sends: .submit, help: "do it"), .key(.escape, sends: .cancel, help: "leave it"),
        .key(.tab, .shift(.tab), sends: .move(.by(0))),
    ]

    private static let reading: [Keys.Line] =
        [.key("q", .escape, .enter, sends: .cancel, help: "close"), .key("?", sends: .help, help: "help")] + moves
}

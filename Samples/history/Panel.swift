import MoonPresentation
import Moonlight
import SampleSupport

/// The program in a terminal: the history and the keys, drawn in place.
enum Panel {
    static let keys: KeyTable<HistoryEvent> = [
        .key("n", "N", sends: .numberRequested, help: "number"),
        .key("t", "T", sends: .textRequested, help: "text"),
        .quit("q", "Q", .control("d"), help: "quit"),
    ]

    /// The program, with whom it asks.
    static func program(
        _ environment: HistoryEnvironment, _ options: LoopOptions<HistoryState, HistoryEvent, HistoryEffect> = LoopOptions()
    ) -> Program<HistoryState, HistoryEvent, HistoryEffect, HistoryEnvironment> {
        Program(
            initialState: HistoryState(), environment: environment, options: options, transform: HistoryReducer.transform,
            apply: HistoryReducer.apply
        ) { state, screen in
            let rows = rows(of: state, in: screen.size)
            screen.add(Text(rows.dropFirst().reduce(rows[0]) { $0 + "\n" + $1 }, wraps: false))
        }
        .keys(keys)
    }

    /// What the panel shows. In a low window, what matters least gives way: gaps, the title, old lines, the keys.
    static func rows(of state: HistoryState, in size: Size) -> [StyledText] {
        let lines = state.history.isEmpty ? [StyledText("Nothing yet.", .dim)] : state.history.map { StyledText($0) }
        let room = size.rows
        if room <= 1 { return lines.suffix(1) }
        if room < lines.count + 4 { return lines.suffix(room - 1) + [help(in: size)] }
        return [StyledText("History", .bold), ""] + lines + ["", help(in: size)]
    }

    /// The keys, with what they do if there is room for it.
    private static func help(in size: Size) -> StyledText {
        func line(_ gap: String, _ text: (KeyHelp) -> String) -> StyledText {
            let parts = keys.help.map { StyledText($0.keys[0], .accent) + StyledText(text($0)) }
            return parts.dropFirst().reduce(parts[0]) { $0 + StyledText(gap) + $1 }
        }
        let long = line("   ") { " " + $0.text }
        return long.columns <= size.columns ? long : line(" ") { _ in "" }
    }
}

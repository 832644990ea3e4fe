import MoonPresentation
import Moonlight
import SampleLoopback
import SampleSupport
import Streams

/// What is shown of the counter in a terminal: the count, what is wrong, the service and the keys.
struct CounterView {
    let state: Counter
    /// Where the service is.
    let url: LoopbackURL

    var keys: KeyTable<CounterEvent> {
        var keys: KeyTable<CounterEvent> = [
            .key("+", sends: .plus, help: "plus"), .key("=", .up, .right, sends: .plus),  // `=` is `+` without Shift.
            .key("-", sends: .minus, help: "minus"), .key(.down, .left, sends: .minus),
            .key("r", sends: .refresh, help: "refresh"), .key("R", sends: .refresh),
        ]
        keys.append(.key("s", sends: .toggleService, help: state.isServiceUp.map { $0 ? "stop service" : "start service" }))
        keys.append(.key("S", sends: .toggleService))
        keys.append(.quit("q", help: "quit"))
        keys.append(.quit("Q", .control("d")))
        return keys
    }

    /// In a low window, what matters least gives way.
    func body(in size: Size, note: String?) -> Rows<CounterEvent> {
        let isRoomy = size.rows > 7
        return Rows {
            if isRoomy { Text("Counter\n", style: .bold) }
            Text(count).padding(isRoomy ? .left(2) : .left(0))
            if size.rows > 3 {
                Text(state.problem?.description ?? note ?? "", style: .alert, wraps: false).padding(isRoomy ? .left(2) : .left(0))
                Text("\(url)\(state.isServiceUp == false ? "  (stopped)" : "")", style: .dim, wraps: false)
            }
            if isRoomy { Text("") }
            if size.rows > 1 { HelpView(keys) }
        }
    }

    private var count: StyledText {
        StyledText(state.confirmed == nil ? "?" : "\(state.count)", .bold) + StyledText(state.isBusy ? "  asking…" : "", .dim)
    }

    /// The program in a terminal.
    static func program(
        _ state: Counter, _ environment: CounterEnvironment, _ url: LoopbackURL,
        _ options: LoopOptions<Counter, CounterEvent, CounterEffect> = LoopOptions()
    ) -> Program<Counter, CounterEvent, CounterEffect, CounterEnvironment> {
        Program(Counter.reducer, initialState: state, environment: environment, options: options) { state, screen in
            screen.add(CounterView(state: state, url: url).body(in: screen.size, note: screen.notes.last))
        }
        .keys(in: { CounterView(state: $0, url: url).keys })
        .notes { if case .rejected(_, let error) = $0.step { "\(error)" } else { nil } }
        .feedback { _, _ in [Just(.refresh).eraseToAnyPublisher()] }
    }
}

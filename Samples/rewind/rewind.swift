// Time travel during development: earlier states, and replays without selected steps.
//
//     swift run rewind               + and - count; Left and Right look back and forth, x leaves the step out that is shown
import MoonPresentation
import Moonlight
import MoonlightRecording
import Streams

struct Counter: Equatable {
    var count = 0
}

enum Event {
    case plus
    case minus
}

let counter = Reducer<Counter, Event, Int, Void> { _, event, _ in
    switch event {
    case .plus: .just(1)
    case .minus: .just(-1)
    }
} apply: { state, step in
    state.count += step
}

typealias History = Development<Counter, Event, Int>
typealias HistoryProgram = Program<History, DevelopmentEvent<Event>, DevelopmentEffect<Event, Int>, Void>

func program() -> HistoryProgram {
    Program(counter.inDevelopment(keeping: 1_000), initialState: History(Counter()), environment: ()) { state, screen in
        let steps = state.steps.map { step in
            let text =
                switch step.content {
                case .event(let event): "\(event)"
                case .effect(let effect, _): "  \(effect)"
                }
            return StyledText(text, step.outcome == .inEffect ? .plain : Style.dim + .strikethrough)
        }
        let selected = (state.position ?? state.positions.upperBound) - state.positions.lowerBound - 1
        screen.add(
            Rows {
                Text(
                    "\(state.displayed.count)\(state.position == nil ? "" : "  (it was so; now it is \(state.latest.count))")",
                    style: .bold)
                List(steps, selected: selected, row: { $0 }).length(.share())
                Text("+/- count  ←/→ look  x leave out  q quit", style: .dim)
            })
    }
    .keys(["+": .event(.plus), "-": .event(.minus)], quit: ["q"])
    .keys(in: { state in
        let position = state.position ?? state.positions.upperBound
        var keys: KeyTable<DevelopmentEvent<Event>> = []
        if position > state.positions.lowerBound {
            keys.append(.key(.left, sends: .command(.jump(to: position - 1))))
            keys.append(.key("x", sends: .command(.skip(position))))
        }
        if state.position != nil {
            keys.append(.key(.right, sends: .command(.jump(to: position + 1 < state.positions.upperBound ? position + 1 : nil))))
        }
        return keys
    })
}

@main struct Main {
    static func main() throws { try program().run() }
}

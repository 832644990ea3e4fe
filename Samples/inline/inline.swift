// Progress below printed lines, without the alternate screen, as in a command-line tool.
//
//     swift run inline
import MoonPresentation
import Moonlight
import Streams

struct Work: Equatable {
    var done = 0
    let total = 8
}

enum Event {
    case start
}

enum Effect {
    case finished(Int)
}

struct World: Sendable {
    var clock: any Clock<Duration>
    /// Prints a permanent line above the frame.
    var print: @Sendable (String) -> Void
}

let work = Reducer<Work, Event, Effect, World> { state, event, world in
    let total = state.total
    return .run { send in
        for step in 1...total {
            try? await world.clock.sleep(for: .milliseconds(250))
            if Task.isCancelled { return }
            world.print("compiled file \(step)")
            send(.finished(step))
        }
    }
} apply: { state, effect in
    if case .finished(let step) = effect { state.done = step }
}

func program(_ world: World) -> Program<Work, Event, Effect, World> {
    Program(work, initialState: Work(), environment: world) { state, screen in
        screen.add(
            Rows {
                ProgressBar(Double(state.done) / Double(state.total), style: Style(foreground: .green))
                Text("\(state.done) of \(state.total) files", style: .dim)
            })
    }
    .display(.inline(rows: 2))
    .ends { $0.done == $0.total }
    .feedback { _, _ in [.just(.start)] }
}

@main struct Main {
    static func main() throws {
        try program(World(clock: ContinuousClock(), print: { Terminal.standard.print(StyledText($0)) })).run()
    }
}

// Runs another program, shows its output as it arrives, and stops it.
//
//     swift run process              r runs, s stops
//     printf r | swift run process   the last frame, when the program has ended
import MoonPresentation
import Moonlight
import Streams

struct Build: Equatable {
    var log = LogLines(limit: 1_000)
    var step = 0
    var exit: ChildProcess.Exit?
    var isRunning = false
}

enum Event {
    case run
    case stop
}

enum Effect {
    case started
    case output(ChildProcess.Output)
    case stopped(String)
}

struct World: Sendable {
    /// Starts the program. Cancellation ends it and its children.
    var build: @Sendable () -> AnyPublisher<ChildProcess.Output, SystemError>
}

let steps = 5

let build = Reducer<Build, Event, Effect, World> { state, event, world in
    switch event {
    case .run:
        return world.build().effects(Effect.output, catch: { .stopped("\($0)") }).prepend(.started).job("build", .ignoreNew)
    case .stop:
        if !state.isRunning { throw Rejection("nothing runs") }
        return .cancelJob("build").append(.stopped("stopped"))
    }
} apply: { state, effect in
    switch effect {
    case .started: state = Build(isRunning: true)
    case .output(.line(let line)):
        state.log.append(StyledText(line))
        state.step += 1
    case .output(.errorLine(let line)): state.log.append(StyledText(line, Style(foreground: .red)))
    case .output(.exit(let exit)):
        state.exit = exit
        state.isRunning = false
    case .stopped(let reason):
        state.log.append(StyledText(reason, .dim))
        state.isRunning = false
    }
}

func program(_ world: World) -> Program<Build, Event, Effect, World> {
    let keys: KeyTable<Event> = [
        .key("r", sends: .run, help: "run"), .key("s", sends: .stop, help: "stop"), .quit("q", help: "quit"),
    ]
    return Program(build, initialState: Build(), environment: world) { state, screen in
        screen.add(
            Rows {
                LogView(state.log, scrollBar: true).border(title: "Output").length(.share())
                ProgressBar(Double(state.step) / Double(steps))
                Text(state.isRunning ? "running" : state.exit.map { $0 == .code(0) ? "built" : "\($0)" } ?? "", style: .bold)
                HelpView(keys)
            })
    }
    .keys(keys)
}

extension World {
    static let live = World {
        ChildProcess("sh", ["-c", "for file in a b c d e; do echo compile $file; sleep 0.3; done; echo a warning >&2"]).output
    }
}

@main struct Main {
    static func main() throws { try program(.live).run() }
}

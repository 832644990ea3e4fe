// A program that `.ci/drive-presentation` and `Benchmarks/terminal` drive on a pseudo-terminal: a list of a thousand rows, and keys
// that end it in every way.
import Dispatch
import MoonPresentation
import Moonlight
import Streams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct Failure: Error {}

struct Probe: Equatable {
    var rows = (0..<1000).map { "row \($0)" }
    var selected = 0
    var notes = ""
    var hasFailed = false
    var isOver = false
}

enum Event {
    case select(ListMove)
    case pasted(String)
    case clicked(Point)
    case trap, overflow, fail, exit, end
    case edit, main, start, subscribe, load
    case note(String)
}

// Not optimized, or it would become an endless loop.
@_optimize(none) func overflow(_ depth: Int) -> Int { depth == -1 ? 0 : overflow(depth &+ 1) &+ 1 }

let reducer = Reducer<Probe, Event, Event, Void>(
    transform: { _, event, _ in
        switch event {
        case .trap: fatalError("as it was asked to")
        case .overflow: return Just(.note("\(overflow(0))")).eraseToAnyPublisher()
        case .exit: exit(3)
        case .edit:
            return .run { send in
                let end = try? await Terminal.standard.run("sh", ["-c", "stty -a | grep -c -- ' icanon'; read line; exit 5"])
                send(.note("edited \(end.map { "\($0)" } ?? "never")"))
            }
        case .main: return .run { send in send(.note(await onMain())) }
        case .start:
            return ChildProcess("sh", ["-c", "echo $$; sleep 1000"]).output
                .compactMap { if case .line(let text) = $0 { Event.note("child \(text).") } else { nil } }
                .replaceError(with: .note("no child"))
                .eraseToAnyPublisher()
        case .subscribe:
            return Signals.publisher(SIGUSR1).first().map { Event.note("signal \($0)") }
                .merge(with: Just(.note("subscribed")))
                .eraseToAnyPublisher()
        case .load:
            return ChildProcess("cat", [loaded ?? ""]).output
                .compactMap { if case .line(let text) = $0 { Event.note(text) } else { nil } }
                .replaceError(with: .note("nothing to load"))
                .eraseToAnyPublisher()
        default: return Just(event).eraseToAnyPublisher()
        }
    },
    apply: { (state: inout Probe, event: Event) in
        switch event {
        case .select(let move): state.selected = move.index(from: state.selected, count: state.rows.count)
        case .pasted(let text): state.notes = "pasted \(text.utf8.count)"
        case .clicked(let point): state.notes = "clicked \(point.column) \(point.row)"
        case .fail: state.hasFailed = true
        case .end: state.isOver = true
        case .note(let text): state.notes = text
        default: break
        }
    })

/// The path after `--load`, whose contents the first state asks for.
let loaded = CommandLine.arguments.firstIndex(of: "--load").map { CommandLine.arguments[$0 + 1] }

@MainActor func onMain() -> String { pthread_equal(pthread_self(), mainThread) != 0 ? "on main" : "elsewhere" }
let mainThread = pthread_self()

var program = Program(reducer, initialState: Probe(), environment: ()) { state, screen in
    if state.hasFailed { throw Failure() }
    let list = screen.add(List(state.rows, selected: state.selected, select: Event.select))
    let line = screen.add(Text(state.notes))
    list.constrain(.all(except: .bottom), to: screen)
    list.constrain(.bottom, to: line, edge: .top)
    line.constrain(.all(except: .top), to: screen)
    line.constrain(.height, constant: 1)
}
.keys(
    [
        .key("t", sends: .trap), .key("o", sends: .overflow), .key("f", sends: .fail), .key("x", sends: .exit),
        .key("e", sends: .end),
        .key("v", sends: .edit), .key("m", sends: .main), .key("p", sends: .start),
        .key("s", sends: .subscribe),
    ], quit: ["q", .control("q")]
)
.otherInput { _, input in
    switch input {
    case .paste(let text): .pasted(text)
    case .mouse(let mouse): .clicked(mouse.point)
    default: nil
    }
}
.ends { $0.isOver }
if CommandLine.arguments.contains("--mouse") { program = program.mouse() }
// Signals that would otherwise end the program.
if CommandLine.arguments.contains("--handler") { signal(SIGTERM) { _ in } }
if CommandLine.arguments.contains("--subscribe") {
    program = program.feedback { _, _ in [Signals.publisher(SIGTERM).map { Event.note("signal \($0)") }.eraseToAnyPublisher()] }
}
if loaded != nil { program = program.feedback { _, _ in [Just(.load).eraseToAnyPublisher()] } }
if CommandLine.arguments.contains("--inline") { program = program.display(.inline(rows: 5)) }
do {
    let ending = try program.run(catchingSignals: CommandLine.arguments.contains("--signals"))
    exit(ending.exitCode)
} catch {
    print("probe: \(error)")
    exit(9)
}

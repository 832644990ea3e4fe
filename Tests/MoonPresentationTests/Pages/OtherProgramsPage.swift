import MoonPresentation
import Moonlight
import MoonlightTestSupport
import MoonlightTesting
import Streams
import Testing

private struct History: Equatable {
    var lines: [String] = []
    var problem: String?
    var exit: ChildProcess.Exit?
}

private enum HistoryEvent: Equatable {
    case open(String)
    case stop
}

private enum HistoryEffect: Equatable {
    case opened
    case output(ChildProcess.Output)
    case failed(String)
}

private struct HistoryWorld: Sendable {
    var log: @Sendable (_ folder: String) -> AnyPublisher<ChildProcess.Output, SystemError>

    static let live = HistoryWorld { ChildProcess("git", ["-C", $0, "log", "--oneline"]).output }
}

private let reducer = Reducer<History, HistoryEvent, HistoryEffect, HistoryWorld>(
    transform: { _, event, world in
        switch event {
        case .open(let folder):
            return world.log(folder)
                .map(HistoryEffect.output)
                .catch { Just(.failed("\($0)")) }
                .prepend(.opened)
                .job("log", .latest)
                .eraseToAnyPublisher()
        case .stop: return .cancelJob("log")
        }
    },
    apply: { (history: inout History, effect: HistoryEffect) in
        switch effect {
        case .opened: history = History()
        case .output(.line(let text)), .output(.errorLine(let text)): history.lines.append(text)
        case .output(.exit(let exit)): history.exit = exit
        case .failed(let problem): history.problem = problem
        }
    })

@Suite("The page Other programs")
struct OtherProgramsPage {
    @Test("A program sends its lines and its exit")
    func overview() async throws {
        var lines: [String] = []
        for try await output in ChildProcess("printf", ["one\\ntwo\\n"]).output.values {
            switch output {
            case .line(let text): lines.append(text)
            case .errorLine(let text): lines.append("! \(text)")
            case .exit(let exit): lines.append(exit == .code(0) ? "done" : "failed: \(exit)")
            }
        }
        #expect(lines == ["one", "two", "done"])
    }

    @Test("In a plan, a program is a stub")
    func plan() throws {
        let log = Stub<String, ChildProcess.Output, SystemError>("log")
        try Plan(reducer, given: History()) { stubs in HistoryWorld(log: stubs.publisher(log)) }
            .when(.open("moonlight"))
            .send(.line("1a2b3c4 First light"), from: log("moonlight"))
            .then(\.lines, equals: ["1a2b3c4 First light"])
            .when(.stop)
            .cancelled(log("moonlight"))
            .run()
    }

    @Test("A program that cannot be started fails with an error that names it")
    func missing() async {
        await #expect(throws: SystemError(code: 2, attempt: "start gti")) {
            for try await _ in ChildProcess("gti").output.values {}
        }
        #expect("\(SystemError(code: 2, attempt: "start gti"))" == "cannot start gti: No such file or directory")
    }

    @Test("An environment replaces that of this process")
    func environment() async throws {
        let process = ChildProcess("/bin/sh", ["-c", "echo $MOON"], environment: ["MOON": "full", "PATH": "/usr/bin:/bin"])
        var iterator = process.output.values.makeAsyncIterator()
        #expect(try await iterator.next() == .line("full"))
    }

    @Test("A program that has left a child process behind ends without waiting for it")
    func child() async throws {
        let server = ChildProcess("sh", ["-c", "sleep 10 & echo started"])
        var output: [ChildProcess.Output] = []
        for try await item in server.output.values { output.append(item) }
        #expect(output == [.line("started"), .exit(.code(0))])
    }

    @Test("The grace period is set for each program")
    func grace() {
        var backup = ChildProcess("rsync", ["-a", "photos/", "backup/"])
        backup.grace = .seconds(30)
        #expect(backup.grace == .seconds(30))
    }

    @Test("The program of the page is run by its environment, and its end reaches the state")
    func live() async throws {
        let store = Store(
            reducer: reducer, initialState: History(), environment: HistoryWorld { ChildProcess("echo", [$0]).output })
        await store.send(.open("here"))
        #expect(store.state == History(lines: ["here"], exit: .code(0)))
    }
}

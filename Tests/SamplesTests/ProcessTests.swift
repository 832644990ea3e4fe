import MoonPresentation
import MoonPresentationTesting
import Moonlight
import MoonlightTesting
import Streams
import Testing

@testable import ProcessSample

@Suite("Samples: process")
struct ProcessTests {
    private let build = Stub<Void, ChildProcess.Output, SystemError>("build")

    @Test("Lines of output are shown as they arrive, and the process can be stopped")
    func lines() throws {
        try Plan(program(.live), size: Size(columns: 40, rows: 8)) { [build] in World(build: $0.publisher(build)) }
            .rejects(.stop, Rejection("nothing runs"))
            .press("r", "r")
            .send(.line("compile a"), from: build()).send(.errorLine("a warning"), from: build())
            .frame { try $0.compare(toPictureOf: "process", "The output of a program that runs, and its progress") }
            .fork("it is stopped") { $0.press("s").cancelled(build()).then(\.isRunning, equals: false) }
            .fork("it does not start") {
                $0.fail(build(), with: SystemError(code: 2, attempt: "start make")).then(\.log.lines.count, equals: 3)
            }
            .send(.exit(.code(0)), from: build()).finish(build())
            .then(\.isRunning, equals: false)
            .run()
    }
}

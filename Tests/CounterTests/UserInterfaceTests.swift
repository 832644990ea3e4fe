import MoonPresentation
import MoonlightTestSupport
import SampleLoopback
import SampleSupport
import Streams
import Testing

@testable import CounterSample

@Suite("Counter: the views and the commands")
struct UserInterfaceTests {
    private static let url = LoopbackURL(port: 8000, path: "/count")

    private var program: Program<Counter, CounterEvent, CounterEffect, CounterEnvironment> {
        CounterView.program(
            Counter(),
            CounterEnvironment(
                post: { Just($0).setFailureType(to: ServiceError.self).eraseToAnyPublisher() },
                load: { Just(0).setFailureType(to: ServiceError.self).eraseToAnyPublisher() },
                setServiceUp: { Just($0).setFailureType(to: ServiceError.self).eraseToAnyPublisher() }),
            Self.url)
    }

    private func rows(_ state: Counter, note: String? = nil, columns: Int = 60, rows: Int = 8) throws -> [String] {
        try program.frame(of: state, size: Size(columns: columns, rows: rows), notes: note.map { [$0] } ?? []).rows
    }

    @Test("The panel shows the count, the problem, the service and the keys")
    func panel() throws {
        try expectEqual(
            rows(Counter(count: 7, confirmed: 6, isBusy: true, isServiceUp: true)),
            [
                "Counter", "", "  7  asking…", "", "http://127.0.0.1:8000/count", "",
                "+ plus  - minus  r refresh  s stop service  q quit", "",
            ])
        let down = try rows(Counter(confirmed: 0, problem: ServiceError("no answer"), isServiceUp: false))
        expect(down[3] == "  no answer" && down[4] == "http://127.0.0.1:8000/count  (stopped)")
        expect(down[6].contains("s start service"))
        try expectEqual(rows(Counter(), note: "not yet").prefix(4), ["Counter", "", "  ?", "  not yet"])
    }

    @Test("The count is visible in a window of any height", arguments: 1...12)
    func low(height: Int) throws {
        try expect(rows(Counter(count: 7, confirmed: 7), rows: height).contains { $0.hasSuffix("7") })
        let keys = try rows(Counter(), rows: height).filter { $0.hasPrefix("+ plus") }
        expect(keys.count == (height < 2 ? 0 : 1))
    }

    @Test("Keys count and ask, and a refusal is shown until something else happens")
    func keys() throws {
        let pilot = try program.pilot(size: Size(columns: 60, rows: 8))
        pilot.press("+", "=", .up, .right, "-", .down, .left, "+")
        expectEqual(pilot.state.count, 2)
        pilot.press("s")
        expectEqual(pilot.frame.rows[3], "  the service is not this program's own")
        pilot.press("+")
        expectEqual(pilot.frame.rows[2...3], ["  3", ""])
        pilot.press(.control("d"))
        expectEqual(pilot.ending, .quit)
    }

    @Test(
        "A state in a pipe is printed as a line",
        arguments: [
            (Counter(count: 1, confirmed: 0, isBusy: true), "1 (saving)"), (Counter(count: 1, confirmed: 1), "1"),
            (Counter(count: 0, confirmed: 0, problem: ServiceError("no answer")), "0 (no answer)"),
            (Counter(problem: ServiceError("no answer")), "unknown (no answer)"),
        ])
    func lines(state: Counter, line: String) {
        expectEqual(Pipe.line(state), line)
    }

    @Test("Commands are words in any capitals, or the keys of the panel")
    func commands() {
        for (key, word) in [("+", "plus"), ("-", "Minus"), ("r", "refresh"), ("s", "service"), ("q", "QUIT")] {
            expect(Command(word: key) == Command(word: word) && Command(word: key) != nil)
        }
        expect(Command(word: "++") == nil)
    }

    @Test("The command line names a service, or sets up the program's own")
    func options() throws {
        let service = Options(service: LoopbackURL(host: "localhost", port: 8000, path: "/count"))
        try expectEqual(Options.parse(["--service", "http://localhost:8000"]), .run(service))
        let own = Options(port: 80, behaviour: .init(limit: 5, delay: 7, failsEvery: 3))
        try expectEqual(Options.parse(["--port=80", "--limit", "5", "--delay", "7", "--fail", "3"]), .run(own))
        try expectEqual(Options.parse([], delay: 300), .run(Options(behaviour: .init(delay: 300))))
        for (words, message) in [
            (["--service", "x"], "--service: it does not begin with http://"),
            (["--service"], "--service needs an address"), (["--fail", "0"], "--fail takes a whole number from 1 to"),
            (["--limit", "2", "--service", "http://localhost"], "--limit is for the program's own service"),
            (["7"], "unexpected argument 7"),
        ] {
            let complaint = #expect(throws: UserFacingError.self) { try Options.parse(words) }
            expectEqual(complaint?.message.hasPrefix(message), true)
        }
    }

    @Test("The picture of the counter in the documentation is the frame of the terminal")
    func picture() throws {
        let state = Counter(count: 7, confirmed: 6, isBusy: true, isServiceUp: true)
        let frame = try program.frame(of: state, size: Size(columns: 54, rows: 8))
        try frame.compare(to: "counter")
        try frame.compareSVG(
            at: "../../Documentation/Samples/counter.svg",
            title: "A count of 7 that the service is being asked for, its address, and the keys")
    }
}

import SampleLoopback
import SampleTerminal
import Testing

@testable import CounterSample

@Suite("How the counter is shown, and what can be said to it")
struct FaceTests {
    private static let url = LoopbackURL(port: 8000, path: "/count")

    private func texts(_ state: Counter, note: String? = nil, columns: Int = 80, rows: Int = 24) -> [String] {
        Panel.rows(of: state, note: note, url: Self.url, in: Size(columns: columns, rows: rows)).map(\.text)
    }

    @Test("The panel shows the count, what is wrong, the service and the keys")
    func panel() {
        #expect(
            texts(Counter(count: 7, confirmed: 6, isBusy: true, isServiceUp: true)) == [
                "Counter", "", "  7  asking…", "", "http://127.0.0.1:8000/count", "",
                "+ plus   - minus   r refresh   s stop service   q quit",
            ])
        let down = Counter(confirmed: 0, problem: ServiceError("no answer"), isServiceUp: false)
        #expect(texts(down).contains("  no answer"))
        #expect(texts(down).contains("http://127.0.0.1:8000/count  (stopped)"))
        #expect(texts(Counter(), note: "not yet").prefix(4) == ["Counter", "", "  ?", "  not yet"])
        #expect(texts(Counter(), columns: 20).last == "+ - r q")
    }

    @Test("However low the window, the count is in it", arguments: 1...12)
    func low(rows: Int) {
        let shown = texts(Counter(count: 7, confirmed: 7), rows: rows)
        #expect(shown.count <= rows)
        #expect(shown.contains { $0.hasSuffix("7") })
    }

    @Test(
        "In a pipe a state is a line",
        arguments: [
            (Counter(count: 1, confirmed: 0, isBusy: true), "1 (saving)"), (Counter(count: 1, confirmed: 1), "1"),
            (Counter(count: 0, confirmed: 0, problem: ServiceError("no answer")), "0 (no answer)"),
            (Counter(problem: ServiceError("no answer")), "unknown (no answer)"),
        ])
    func lines(state: Counter, line: String) {
        #expect(Pipe.line(state) == line)
    }

    @Test("Keys and words say the same")
    func commands() {
        for (key, word) in [("+", "plus"), ("-", "Minus"), ("r", "refresh"), ("s", "service"), ("q", "QUIT")] {
            #expect(Command(key: .character(Character(key))) == Command(word: word))
            #expect(Command(word: key) != nil)
        }
        #expect(Command(key: .up) == .ask(.plus))
        #expect(Command(key: .control("c")) == .quit)
        #expect(Command(word: "++") == nil)
    }

    @Test("The command line says which service, or how the program's own is to be")
    func options() throws {
        let service = Options(service: LoopbackURL(host: "localhost", port: 8000, path: "/count"))
        #expect(try Options.parse(["--service", "http://localhost:8000"]) == .run(service))
        let own = Options(port: 80, behaviour: .init(limit: 5, delay: 7, failsEvery: 3))
        #expect(try Options.parse(["--port=80", "--limit", "5", "--delay", "7", "--fail", "3"]) == .run(own))
        #expect(try Options.parse([], delay: 300) == .run(Options(behaviour: .init(delay: 300))))
        for (words, message) in [
            (["--service", "x"], "--service: it does not begin with http://"),
            (["--service"], "--service needs an address"), (["--fail", "0"], "--fail takes a whole number from 1 to"),
            (["--limit", "2", "--service", "http://localhost"], "--limit is for the program's own service"),
            (["7"], "unexpected argument 7"),
        ] {
            let complaint = #expect(throws: UserFacingError.self) { try Options.parse(words) }
            #expect(complaint?.message.hasPrefix(message) == true)
        }
    }
}

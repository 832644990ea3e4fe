import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private enum Event: Sendable {
    case typed(String)
    case save(Int)
    case stop, wrong
}

private struct Server: Sendable {
    let search: @Sendable (String) -> AnyPublisher<String, Never>
    let write: @Sendable (Int) -> AnyPublisher<String, Never>
}

private struct Field: Equatable, Sendable {
    var text = ""
    var found = ""
}

private enum FieldEvent: Sendable { case typed(String) }
private enum FieldEffect: Sendable {
    case typed(String)
    case found(String)
}

private struct Searching: Sendable {
    let search: @Sendable (String) -> AnyPublisher<String, Never>
    let scheduler: AnyScheduler<TimePoint, Never>
}

private let field = Reducer<Field, FieldEvent, FieldEffect, Searching>(
    transform: { _, event, world in
        switch event {
        case .typed(let text):
            return Just(text)
                .delay(for: .milliseconds(300), scheduler: world.scheduler)
                .flatMap { world.search($0) }
                .map(FieldEffect.found)
                .job("search", .latest)
                .prepend(.typed(text))
        }
    },
    apply: { field, effect in
        switch effect {
        case .typed(let text): field.text = text
        case .found(let text): field.found = text
        }
    })

@Suite("Page: Jobs")
struct JobsPage {
    @Test("A debounced search starts when typing pauses, with the newest text")
    func debounce() {
        let (time, asked) = (VirtualTimeScheduler(), Recorder<String>())
        let answers = PassthroughSubject<String, Never>()
        let world = Searching(
            search: { text in
                asked.append(text)
                return answers.first().eraseToAnyPublisher()
            }, scheduler: time.eraseToAnyScheduler())
        let store = Store(reducer: field, initialState: Field(), environment: world)
        store.send(.typed("m"))
        time.advance(by: .milliseconds(299))
        store.send(.typed("mo"))
        #expect(store.state.text == "mo")
        time.advance(by: .milliseconds(299))
        #expect(asked.all == [])
        time.advance(by: .milliseconds(1))
        #expect(asked.all == ["mo"])
        store.send(.typed("moon"))
        answers.send("late")
        time.advance(by: .milliseconds(300))
        answers.send("moonlight")
        #expect(asked.all == ["mo", "moon"])
        #expect(store.state == Field(text: "moon", found: "moonlight"))
        store.cancel()
    }

    private static func makeStore(
        _ server: Server, options: LoopOptions<[String], Event, String> = LoopOptions()
    ) -> Store<[String], Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event: Event, server: Server) -> AnyPublisher<String, Never> in
                    switch event {
                    case .typed(let text): server.search(text).job("search", .latest)
                    case .save(let number): server.write(number).job("write", .queue)
                    case .stop: .cancelJob("search")
                    case .wrong: Just("never").job("write", .merge)
                    }
                }, apply: { (log: inout [String], line: String) in log.append(line) }),
            initialState: [], environment: server, options: options)
    }

    @Test("The latest search replaces the earlier one, writes wait for each other, and the store lists all jobs")
    func policies() async {
        let gates = Lock<[String: PassthroughSubject<String, Never>]>([:])
        func gate(_ name: String) -> PassthroughSubject<String, Never> {
            gates.withLock { gates in
                let gate = gates[name] ?? PassthroughSubject()
                gates[name] = gate
                return gate
            }
        }
        for name in ["a", "ab", "1", "2"] { _ = gate(name) }
        let all = gates.withLock { UncheckedTransfer($0) }
        let store = Self.makeStore(
            Server(
                search: { all.value[$0]!.eraseToAnyPublisher() },
                write: { all.value["\($0)"]!.first().eraseToAnyPublisher() }))
        store.post(.typed("a"))
        store.post(.typed("ab"))
        gate("a").send("stale")
        gate("ab").send("found ab")
        store.post(.save(1))
        store.post(.save(2))
        let lines = store.inFlight.map { "\($0)" }
        #expect(
            lines == [
                "job search of typed(\"ab\")",
                "job write of save(1)",
                "job write, waiting, of save(2)",
            ])
        gate("1").send("wrote 1")
        gate("2").send("wrote 2")
        store.post(.stop)
        gate("ab").send("too late")
        #expect(store.state == ["found ab", "wrote 1", "wrote 2"])
        #expect(store.jobs.isEmpty)
    }

    @Test("A job with another policy than the one in flight is rejected")
    func conflict() async {
        let endless = Empty<String, Never>(completeImmediately: false)
        let store = Self.makeStore(
            Server(search: { _ in endless.eraseToAnyPublisher() }, write: { _ in endless.eraseToAnyPublisher() }))
        store.post(.save(1))
        var answer = ""
        if case .failure(.rejected(let error)) = await store.send(.wrong, until: .settled) { answer = "\(error)" }
        #expect(answer == "job write is in flight as .queue, but was requested as .merge: give each id one policy")
    }
}

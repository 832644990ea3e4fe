import Moonlight
import MoonlightTestSupport
import Streams
import Testing

private enum Event: Sendable, Equatable {
    case moved(Int)
    case key(Character)
    case ping, pong
}

private typealias Options = LoopOptions<[String], Event, Event>

@Suite("Page: Busy loops")
struct BusyLoopsPage {
    private static func makeStore(
        _ options: Options, feedback: (AnyPublisher<[String], Never>) -> [AnyPublisher<Event, Never>] = { _ in [] }
    ) -> Store<[String], Event> {
        Store(
            reducer: Reducer(
                transform: { (_, event: Event, _) in Just(event).eraseToAnyPublisher() },
                apply: { (log: inout [String], event: Event) in log.append("\(event)") }),
            initialState: [], environment: (), options: options, feedback: feedback)
    }

    /// Sends while the loop is busy.
    private static func burst(_ store: Store<[String], Event>, _ events: [Event]) -> [String] {
        let answers = Recorder<String>()
        let observer = store.states.sink { state in
            guard state == ["key(\"a\")"] else { return }
            for event in events { answers.append(store.send(event).word) }
        }
        store.send(.key("a"))
        observer.cancel()
        return answers.all
    }

    @Test("A pending mouse movement is replaced by a newer one, unless a key is between them")
    func folding() {
        let options = Options(coalesce: { waiting, new in
            if case .moved = waiting, case .moved = new { new } else { nil }
        })
        let store = Self.makeStore(options)
        _ = Self.burst(store, [.moved(1), .moved(2), .key("b"), .moved(3), .moved(4)])
        #expect(store.state == ["key(\"a\")", "moved(2)", "key(\"b\")", "moved(4)"])
    }

    @Test("A full inbox rejects events, or suspends its senders")
    func bounds() async {
        let store = Self.makeStore(Options(inbox: .reject(2)))
        let answers = Self.burst(store, [.moved(1), .moved(2), .moved(3)])
        #expect(answers == ["settled", "settled", "overflow"])
        let patient = Self.makeStore(Options(inbox: .suspend(2)))
        await withTaskGroup(of: Void.self) { group in
            for number in 1...100 { group.addTask { await patient.send(.moved(number)) } }
        }
        #expect(patient.state.count == 100)
    }

    @Test("Events wait while as many effects are in flight as the limit allows")
    func work() {
        let careful = LoopOptions<Int, Int, Int>(inbox: .reject(1), effectLimit: 2)
        let payments = PassthroughSubject<Int, Never>()
        let store = Store(
            reducer: Reducer(transform: { (_, _: Int, _) in payments.eraseToAnyPublisher() }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: careful)
        #expect((1...4).map { store.post($0).word } == ["settled", "settled", "settled", "overflow"])
        #expect(store.inFlight.map(\.event) == ["1", "2"])
    }

    @Test("A thousand states are drawn in few frames, and the last one is drawn")
    func frames() {
        let time = VirtualTimeScheduler()
        let states = PassthroughSubject<Int, Never>()
        let drawn = Recorder<Int>()
        let drawing = states.throttle(for: .milliseconds(33), scheduler: time, latest: true).sink { drawn.append($0) }
        for state in 1...1000 {
            states.send(state)
            if state.isMultiple(of: 100) { time.advance(by: .milliseconds(10)) }
        }
        time.advance(by: .milliseconds(33))
        #expect(drawn.last == 1000)
        #expect(drawn.count < 10)
        drawing.cancel()
    }

    @Test("A loop that keeps itself busy is reported at the step limit, and continues")
    func runaway() {
        let reports = Recorder<String>()
        let options = Options(stepLimit: 1000, onRunaway: { report in reports.append("\(report)") })
        let store = Self.makeStore(options) { states in
            [
                states.filter { $0.count < 1500 }.map { $0.last == "ping" ? .pong : .ping }
                    .eraseToAnyPublisher()
            ]
        }
        #expect(reports.all == ["1000 events without input, repeating ping -> pong"])
        #expect(store.state.count == 1500)
    }
}

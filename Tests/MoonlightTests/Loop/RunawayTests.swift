import MoonlightTestSupport
import Streams
import Testing

@testable import Moonlight

@Suite("Runaway loops")
struct RunawayTests {
    /// A store that sends the next word for each word, a number of times.
    private static func answering(_ rounds: Int, _ options: ScriptOptions) -> ScriptStore {
        scriptStore(options) { states in
            [
                states.compactMap { state in
                    state.last.flatMap { Int($0) }.flatMap { $0 < rounds ? .words(["\($0 + 1)"]) : nil }
                }.eraseToAnyPublisher()
            ]
        }
    }

    @Test("An event from outside restarts the count, and the journal records the event that reaches the limit")
    func input() {
        let lines = Recorder<String>()
        let options = ScriptOptions(
            journal: { record in if case .runaway = record.step { lines.append("\(record)") } }, stepLimit: 10)
        let store = Self.answering(9, options)
        for _ in 0..<5 { store.send(.words(["1"])) }
        expectEqual(lines.all, [])
        store.send(.words(["0"]))
        expectEqual(lines.all, ["110 <- 109  runaway: 10 events without input, repeating words"])
        expectEqual(store.state.count, 5 * 9 + 10)
    }

    /// Events whose description is not the name of their case.
    private enum Named: CustomStringConvertible {
        case step(Int)
        case stop
        var description: String { "described" }
    }

    private struct Tick: CustomStringConvertible {
        let number: Int
        var description: String { "tick(\(number))" }
    }

    @Test("An event is reported by its case, and one that is no enum by its description up to the first parenthesis")
    func names() {
        func name(_ event: some Any) -> [String]? {
            var counter = StepCounter(limit: 1)
            return counter.count(event)?.chain
        }
        expectEqual(name(Named.step(1)), ["step"])
        expectEqual(name(Named.stop), ["stop"])
        expectEqual(name(Tick(number: 1)), ["tick"])
        expectEqual(name(7), ["7"])
    }

    @Test("An event that the journal's closure sends counts as from outside")
    func journalSends() {
        let (reports, events) = (Recorder<RunawayReport>(), PassthroughSubject<ScriptEvent, Never>())
        let options = ScriptOptions(
            journal: { record in
                guard case .event(.words(let words)) = record.step, let number = Int(words[0]), number < 9 else { return }
                events.send(.words(["\(number + 1)"]))
            }, stepLimit: 5, onRunaway: { reports.append($0) })
        let store = scriptStore(options) { _ in [events.eraseToAnyPublisher()] }
        store.send(.words(["0"]))
        expectEqual(store.state.count, 10)
        expectEqual(reports.all.count, 0)
    }

    @Test("An event that another thread sends in between counts as from outside")
    func otherThread() {
        let (reports, events) = (Recorder<RunawayReport>(), PassthroughSubject<ScriptEvent, Never>())
        let options = ScriptOptions(stepLimit: 2, onRunaway: { reports.append($0) })
        let store = scriptStore(options) { _ in [events.eraseToAnyPublisher()] }
        store.send(
            .stream("first") {
                elsewhere { events.send(.words(["second"])) }
                return Just("first").eraseToAnyPublisher()
            })
        settle()
        expectEqual(store.state, ["first", "second"])
        expectEqual(reports.all, [])
    }

    @Test("An event that another task awaits in between counts as from outside")
    func awaitedElsewhere() {
        let (reports, executor) = (Recorder<RunawayReport>(), SteppedExecutor())
        let store = scriptStore(ScriptOptions(stepLimit: 2, onRunaway: { reports.append($0) }))
        store.send(
            .stream("first") {
                elsewhere {
                    Task(executorPreference: executor) { await store.send(.words(["second"])) }
                    executor.run()
                }
                return Just("first").eraseToAnyPublisher()
            })
        settle()
        expectEqual(store.state, ["first", "second"])
        expectEqual(reports.all, [])
    }

    @Test("A later effect of a stream counts as from outside, so that the event of feedback for it is the first step")
    func laterEffect() {
        let (reports, gate) = (Recorder<RunawayReport>(), PassthroughSubject<String, Never>())
        let options = ScriptOptions(stepLimit: 2, onRunaway: { reports.append($0) })
        let store = scriptStore(options) { states in
            [states.filter { $0 == ["late"] }.map { _ in ScriptEvent.words(["answer"]) }.eraseToAnyPublisher()]
        }
        store.send(.stream("gate") { gate.eraseToAnyPublisher() })
        gate.send("late")
        expectEqual(store.state, ["late", "answer"])
        expectEqual(reports.all, [])
    }

    @Test(
        "An event that a body sends before its first suspension is a step, whether or not the body awaits it",
        arguments: [false, true])
    func bodies(awaits: Bool) {
        let place = Lock<Store<Int, Int>?>(nil)
        let reports = Recorder<Int>()
        let store = Store<Int, Int>(
            reducer: Reducer(
                transform: { _, number, _ in
                    guard number < 9 else { return .none }
                    return .run { _ in
                        guard let store = place.withLock({ $0 }) else { return }
                        if awaits { await store.send(number + 1, until: .taken) } else { store.post(number + 1) }
                    }
                }, apply: { $0 += $1 }),
            initialState: 0, environment: (), options: LoopOptions(stepLimit: 5, onRunaway: { reports.append($0.steps) }))
        place.withLock { $0 = store }
        store.post(0)
        expectEqual(reports.all, [5])
        discard(place.withLock { $0.take() })
    }

    @Test("A limit of one step is reached by each event")
    func oneStep() {
        let reports = Recorder<RunawayReport>()
        let store = Self.answering(0, ScriptOptions(stepLimit: 1, onRunaway: { reports.append($0) }))
        for _ in 1...2 { store.send(.words(["9"])) }
        expectEqual(reports.count, 2)
    }

    @Test("A runaway loop drops nothing, and is reported once until an event arrives from outside")
    func goesOn() {
        let reports = Recorder<RunawayReport>()
        let store = Self.answering(999, ScriptOptions(stepLimit: 100, onRunaway: { reports.append($0) }))
        store.send(.words(["0"]))
        expectEqual(store.state, (0..<1000).map { "\($0)" })
        expectEqual(reports.all.map(\.steps), [100])
        store.send(.words(["900"]))
        expectEqual(reports.all.map(\.steps), [100, 100])
    }

    @Test("A loop that sends events for its own first state forever ends after the report, so that its store can be created")
    func ends() {
        let reports = Recorder<RunawayReport>()
        let options = ScriptOptions(stepLimit: 100, cancelsRunaway: true, onRunaway: { reports.append($0) })
        let store = scriptStore(options) { states in
            [states.map { .words(["\($0.count)"]) }.eraseToAnyPublisher()]
        }
        expectEqual(reports.all.map(\.steps), [100])
        expectEqual(store.state.count, 99)
        expectEqual(store.send(.words([])).word, "ended")
    }

    #if compiler(>=6.3)
        @Test("A loop with a step limit writes no warning to standard error")
        func limited() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                RunawayReport.warn(of: Int.self, isLimited: true)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(!text.contains("Moonlight: "))
        }

        @Test("The warning about a loop without a step limit names its event type and the option for details")
        func warning() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                RunawayReport.warn(of: Int.self, isLimited: false)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(text.contains("a loop of Int has run for 1000000 steps"))
            expect(text.contains("LoopOptions.stepLimit"))
        }

        @Test(
            "A loop without a step limit that occupies its thread for a million steps writes a warning to standard error",
            .enabled(if: Budget.isExhaustive))
        func unlimited() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let store = Store(
                    reducer: Reducer(
                        transform: { _, event, _ in .just(event) }, apply: { (state: inout Int, effect: Int) in state += effect }),
                    initialState: 0, environment: (),
                    feedback: { (states: AnyPublisher<Int, Never>) in
                        [states.filter { (1..<1_000_100).contains($0) }.map { _ in 1 }.eraseToAnyPublisher()]
                    })
                store.post(1)
                store.cancel()
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(text.contains("a loop of Int has run for 1000000 steps"))
            expect(text.contains("LoopOptions.stepLimit"))
        }
    #endif
}

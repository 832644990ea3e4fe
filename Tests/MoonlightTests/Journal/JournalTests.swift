import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Journal")
struct JournalTests {
    typealias Record = JournalRecord<[String], ScriptEvent, String>

    @Test("every change can be followed by its causes to the event from outside, by way of rules")
    func causes() {
        let records = Lock<[Record]>([])
        let rules: [Rule.Complete<[String], ScriptEvent>] = [
            Rule("second").when(.becoming { $0 == ["a"] }).then { _ in ScriptEvent.words(["b"]) },
            Rule("other").when(.becoming { $0 == ["a"] }).then { _ in ScriptEvent.words(["c"]) },
        ]
        let store = scriptStore(ScriptOptions(journal: { record in records.withLock { $0.append(record) } })) {
            [Rule.events(of: rules, from: $0)]
        }
        store.send(.words(["a"]))
        #expect(
            records.withLock { $0.map(\.description) } == [
                "1  event words(a)", "2 <- 1  effect a: [0] nothing -> \"a\"",
                "3 <- 2  rule second fired: 1 event", "4 <- 2  rule other fired: 1 event",
                "5 <- 3  event words(b)", "6 <- 5  effect b: [1] nothing -> \"b\"",
                "7 <- 4  event words(c)", "8 <- 7  effect c: [2] nothing -> \"c\"",
            ])
    }

    @Test("rules are the cause of their own events alone, not of what other feedback sends after them", arguments: 1...3)
    func causeAfterRules(count: Int) {
        let lines = Recorder<String>()
        let rules = (1...count).map { number in
            Rule("\(number)").when(.becoming { (words: [String]) in words == ["a"] }).then { _ in
                ScriptEvent.words(["r\(number)"])
            }
        }
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") })) { states in
            let other = states.filter { $0 == ["a"] }.map { _ in ScriptEvent.words(["z"]) }
            return [Rule.events(of: rules, from: states), other.eraseToAnyPublisher()]
        }
        store.send(.words(["a"]))
        let events = lines.all.filter { $0.contains("event words") }.map { $0.drop { !"< ".contains($0) } }
        #expect(
            events.map(String.init) == ["  event words(a)"]
                + (1...count).map { " <- \($0 + 2)  event words(r\($0))" } + [" <- 2  event words(z)"])
    }

    @Test("a later effect is caused by the event whose stream it is from")
    func laterEffect() {
        let (lines, gate) = (Recorder<String>(), PassthroughSubject<String, Never>())
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") }))
        store.send(.stream("gate") { gate.eraseToAnyPublisher() })
        store.send(.words(["x"]))
        gate.send("y")
        #expect(lines.last == "4 <- 1  effect y: [1] nothing -> \"y\"")
    }

    @Test("records are numbered without a gap, also when many threads send, and told one at a time")
    func numbers() {
        let (numbers, overlaps) = (Recorder<Int>(), OverlapDetector())
        let store = scriptStore(ScriptOptions(journal: { record in overlaps.visit { numbers.append(record.number) } }))
        onThreads(4) { thread in
            for _ in 0..<200 { store.send(thread == 0 ? .refused : .words(["w"])) }
        }
        #expect(numbers.all == Array(1...1600))
        #expect(overlaps.overlaps == 0)
    }

    @Test("the end is the last record, and tells which of the two it was")
    func end() {
        let lines = Recorder<String>()
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") })) { _ in
            [Just(.words(["only"])).eraseToAnyPublisher()]
        }
        #expect(lines.last == "3  ended")
        #expect(store.send(.words(["late"])).word == "ended")
        #expect(lines.count == 3)
    }

    @Test("an effect that changes nothing is told of, and an event that a journal's reader sends is queued")
    func withoutChange() {
        let lines = Recorder<String>()
        let reader = Lock<Store<Int, Int>?>(nil)
        let store = Store(
            initialState: 1, environment: (),
            options: LoopOptions(journal: { record in
                lines.append("\(record)")
                if case .effect(1, _, _) = record.step { reader.withLock { $0 }?.send(0) }
            }),
            transform: { (_, event: Int, _) in Just(event).eraseToAnyPublisher() }, apply: { max($0, $1) })
        reader.withLock { $0 = store }
        store.send(1)
        reader.withLock { $0 = nil }
        #expect(lines.all == ["1  event 1", "2 <- 1  effect 1", "3 <- 1  event 0", "4 <- 3  effect 0"])
    }

    @Test("what a journal's reader does to jobs is told when it is back, one record at a time")
    func oneAtATime() {
        let (lines, overlaps) = (Recorder<String>(), OverlapDetector())
        let reader = Lock<ScriptStore?>(nil)
        let store = scriptStore(
            ScriptOptions(journal: { record in
                overlaps.visit {
                    if case .effect("stop", _, _) = record.step { reader.withLock { $0 }?.cancelJob("job") }
                    lines.append("\(record.number)")
                }
            }))
        reader.withLock { $0 = store }
        store.send(.stream("job") { Empty(completeImmediately: false).job("job").eraseToAnyPublisher() })
        store.send(.words(["stop"]))
        reader.withLock { $0 = nil }
        #expect(lines.all == ["1", "2", "3", "4", "5"])
        #expect(overlaps.overlaps == 0)
    }

    @Test("a journal can be a stream")
    func stream() {
        let (journal, lines) = (PassthroughSubject<Record, Never>(), Recorder<String>())
        let reading = journal.map(\.description).sink { lines.append($0) }
        let store = scriptStore(ScriptOptions(journal: journal))
        store.send(.refused)
        store.cancel()
        #expect(lines.all == ["1  event refused", "2 <- 1  rejected refused: Refusal()", "3  cancelled"])
        withExtendedLifetime(reading) {}
    }

    @Test("a store that has ended lets go of what takes its records, though it is still there")
    func released() {
        let census = Census()
        func make() -> ScriptStore {
            let token = Token("journal", in: census)
            return scriptStore(ScriptOptions(journal: { _ in token.touch() }))
        }
        let store = make()
        store.send(.words(["a"]))
        #expect(census.alive == ["journal"])
        store.cancel()
        #expect(census.alive == [])
        withExtendedLifetime(store) {}
    }

    @Test("times do not go back")
    func times() {
        let times = Recorder<ContinuousClock.Instant>()
        let store = scriptStore(ScriptOptions(journal: { times.append($0.time) }))
        for _ in 0..<100 { store.send(.words(["a"])) }
        #expect(zip(times.all, times.all.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("what an event leads to at once has its time; each event has its own")
    func timeOfAnItem() {
        let times = Recorder<ContinuousClock.Instant>()
        let store = scriptStore(ScriptOptions(journal: { times.append($0.time) }))
        store.send(.words(["a", "b"]))
        let all = times.all
        #expect(all.count == 3)
        #expect(Set(all).count == 1)
        // A clock may not have moved on yet at the very next event.
        while ContinuousClock.now <= all[0] {}
        store.send(.words(["c"]))
        #expect(Set(times.all).count == 2)
    }

    @Test("a journal is let go of when the loop has ended")
    func letGo() {
        let census = Census()
        let store = scriptStore(ScriptOptions(journal: { [token = Token("journal", in: census)] _ in token.touch() }))
        store.send(.words(["a"]))
        #expect(census.alive == ["journal"])
        store.cancel()
        #expect(census.alive == [])
    }

    @Test("the state before a change is not kept longer than it takes to tell of the change")
    func stateBefore() {
        final class Part: Equatable, Sendable {
            let token: Token
            init(_ token: Token) { self.token = token }
            static func == (a: Part, b: Part) -> Bool { a === b }
        }
        let census = Census()
        let store = Store<Part, Int>(
            initialState: Part(Token("0", in: census)), environment: (), options: LoopOptions(journal: { _ in }),
            transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
            apply: { (state: inout Part, number: Int) in state = Part(Token("\(number)", in: census)) })
        for number in 1...2 {
            store.post(number)
            #expect(census.alive == ["\(number)"])
        }
        store.cancel()
    }
}

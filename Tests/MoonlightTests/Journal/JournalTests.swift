import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("The journal of a store")
struct JournalTests {
    typealias Record = JournalRecord<[String], ScriptEvent, String>

    @Test("Each change can be traced by its causes, through rules, to the event from outside")
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
        expectEqual(
            records.withLock { $0.map(\.description) },
            [
                "1  event words(a)", "2 <- 1  effect a: [0] nothing -> \"a\"",
                "3 <- 2  rule second fired: 1 event", "4 <- 2  rule other fired: 1 event",
                "5 <- 3  event words(b)", "6 <- 5  effect b: [1] nothing -> \"b\"",
                "7 <- 4  event words(c)", "8 <- 7  effect c: [2] nothing -> \"c\"",
            ])
    }

    @Test("A rule is the cause of its own events only, not of later events of other feedback", arguments: 1...3)
    func causeAfterRules(count: Int) {
        let lines = Recorder<String>()
        let isA = RulePattern<[String], [String]>.becoming { (words: [String]) -> Bool in words == ["a"] }
        var rules: [Rule.Complete<[String], ScriptEvent>] = []
        for number in 1...count {
            rules.append(Rule("\(number)").when(isA).then { (_: [String]) -> ScriptEvent in .words(["r\(number)"]) })
        }
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") })) { (states: AnyPublisher<[String], Never>) in
            let other: AnyPublisher<ScriptEvent, Never> = states.filter { (words: [String]) -> Bool in words == ["a"] }
                .map { (_: [String]) -> ScriptEvent in .words(["z"]) }.eraseToAnyPublisher()
            return [Rule.events(of: rules, from: states), other]
        }
        store.send(.words(["a"]))
        var events: [String] = []
        for line in lines.all where line.contains("event words") {
            // Without the number.
            events.append(String(line.drop { (character: Character) -> Bool in character != "<" && character != " " }))
        }
        var expected: [String] = ["  event words(a)"]
        for number in 1...count { expected.append(" <- \(number + 2)  event words(r\(number))") }
        expected.append(" <- 2  event words(z)")
        expectEqual(events, expected)
    }

    @Test("The cause of a later effect is the event whose stream sent it")
    func laterEffect() {
        let (lines, gate) = (Recorder<String>(), PassthroughSubject<String, Never>())
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") }))
        store.send(.stream("gate") { gate.eraseToAnyPublisher() })
        store.send(.words(["x"]))
        gate.send("y")
        expectEqual(lines.last, "4 <- 1  effect y: [1] nothing -> \"y\"")
    }

    @Test("Records are numbered without gaps and delivered one at a time when many threads send")
    func numbers() {
        let (numbers, overlaps, each) = (Recorder<Int>(), OverlapDetector(), Budget.rounds(200, least: 50))
        let store = scriptStore(ScriptOptions(journal: { record in overlaps.visit { numbers.append(record.number) } }))
        onThreads(4) { thread in
            for _ in 0..<each { store.send(thread == 0 ? .refused : .words(["w"])) }
        }
        expectEqual(numbers.all, Array(1...8 * each))
        expectEqual(overlaps.overlaps, 0)
    }

    @Test("The last record is that of the end, and contains whether the loop was cancelled")
    func end() {
        let lines = Recorder<String>()
        let store = scriptStore(ScriptOptions(journal: { lines.append("\($0)") })) { _ in
            [Just(.words(["only"])).eraseToAnyPublisher()]
        }
        expectEqual(lines.last, "3  ended")
        expectEqual(store.send(.words(["late"])).word, "ended")
        expectEqual(lines.count, 3)
    }

    @Test("An effect that changes nothing is recorded, and an event that the journal's closure sends is queued")
    func withoutChange() {
        let lines = Recorder<String>()
        let reader = Lock<Store<Int, Int>?>(nil)
        let store = Store(
            reducer: Reducer(transform: { (_, event: Int, _) in Just(event).eraseToAnyPublisher() }, apply: { $0 = max($0, $1) }),
            initialState: 1, environment: (),
            options: LoopOptions(journal: { record in
                lines.append("\(record)")
                if case .effect(1, _, _) = record.step { reader.withLock { $0 }?.send(0) }
            }))
        reader.withLock { $0 = store }
        store.send(1)
        reader.withLock { $0 = nil }
        expectEqual(lines.all, ["1  event 1", "2 <- 1  effect 1", "3 <- 1  event 0", "4 <- 3  effect 0"])
    }

    @Test("A job that the journal's closure cancels is recorded after the closure has returned, one record at a time")
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
        expectEqual(lines.all, ["1", "2", "3", "4", "5"])
        expectEqual(overlaps.overlaps, 0)
    }

    @Test("A journal can be sent to a subject")
    func stream() {
        let (journal, lines) = (PassthroughSubject<Record, Never>(), Recorder<String>())
        let reading = journal.map(\.description).sink { lines.append($0) }
        let store = scriptStore(ScriptOptions(journal: { journal.send($0) }))
        store.send(.refused)
        store.cancel()
        expectEqual(lines.all, ["1  event refused", "2 <- 1  rejected refused: Refusal()", "3  cancelled"])
        withExtendedLifetime(reading) {}
    }

    @Test("A store that has ended releases its journal's closure while the store itself is retained")
    func released() {
        let census = Census()
        func make() -> ScriptStore {
            let token = Token("journal", in: census)
            return scriptStore(ScriptOptions(journal: { _ in token.touch() }))
        }
        let store = make()
        store.send(.words(["a"]))
        expectEqual(census.alive, ["journal"])
        store.cancel()
        expectEqual(census.alive, [])
        withExtendedLifetime(store) {}
    }

    @Test("The times of records never decrease")
    func times() {
        let times = Recorder<ContinuousClock.Instant>()
        let store = scriptStore(ScriptOptions(journal: { times.append($0.time) }))
        for _ in 0..<100 { store.send(.words(["a"])) }
        expect(zip(times.all, times.all.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("The records of an event and its immediate consequences have the same time; the next event has its own")
    func timeOfAnItem() {
        let times = Recorder<ContinuousClock.Instant>()
        let store = scriptStore(ScriptOptions(journal: { times.append($0.time) }))
        store.send(.words(["a", "b"]))
        let all = times.all
        expectEqual(all.count, 3)
        expectEqual(Set(all).count, 1)
        // A clock may show the same time at the next event.
        while ContinuousClock.now <= all[0] {}
        store.send(.words(["c"]))
        expectEqual(Set(times.all).count, 2)
    }

    @Test("The state before a change is released as soon as the change has been recorded")
    func stateBefore() {
        final class Part: Equatable, Sendable {
            let token: Token
            init(_ token: Token) { self.token = token }
            static func == (a: Part, b: Part) -> Bool { a === b }
        }
        let census = Census()
        let store = Store<Part, Int>(
            reducer: Reducer(
                transform: { _, event, _ in Just(event).eraseToAnyPublisher() },
                apply: { (state: inout Part, number: Int) in state = Part(Token("\(number)", in: census)) }),
            initialState: Part(Token("0", in: census)), environment: (), options: LoopOptions(journal: { _ in }))
        for number in 1...2 {
            store.post(number)
            expectEqual(census.alive, ["\(number)"])
        }
        store.cancel()
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Loops that run away")
struct RunawayTests {
    /// A store that answers each word with the next, so many times.
    private static func answering(_ rounds: Int, _ options: ScriptOptions) -> ScriptStore {
        scriptStore(options) { states in
            [
                states.compactMap { state in
                    state.last.flatMap { Int($0) }.flatMap { $0 < rounds ? .words(["\($0 + 1)"]) : nil }
                }.eraseToAnyPublisher()
            ]
        }
    }

    @Test("what comes from outside starts the count anew; the journal tells of the event that reached the limit")
    func input() {
        let lines = Recorder<String>()
        let options = ScriptOptions(
            journal: { record in if case .runaway = record.step { lines.append("\(record)") } }, stepLimit: 10)
        let store = Self.answering(9, options)
        for _ in 0..<5 { store.send(.words(["1"])) }
        #expect(lines.all == [])
        store.send(.words(["0"]))
        #expect(lines.all == ["110 <- 109  runaway: 10 events without input, repeating words"])
        #expect(store.state.count == 5 * 9 + 10)
    }

    @Test("what the journal sends when it hears of an event comes from outside")
    func journalSends() {
        let (reports, events) = (Recorder<Runaway>(), PassthroughSubject<ScriptEvent, Never>())
        let options = ScriptOptions(
            journal: { record in
                guard case .event(.words(let words)) = record.step, let number = Int(words[0]), number < 9 else { return }
                events.send(.words(["\(number + 1)"]))
            }, stepLimit: 5, onRunaway: { reports.append($0) })
        let store = scriptStore(options) { _ in [events.eraseToAnyPublisher()] }
        store.send(.words(["0"]))
        #expect(store.state.count == 10)
        #expect(reports.all.count == 0)
    }

    @Test("nothing of a loop that runs away is dropped")
    func goesOn() {
        let reports = Recorder<Runaway>()
        let store = Self.answering(999, ScriptOptions(stepLimit: 100, onRunaway: { reports.append($0) }))
        store.send(.words(["0"]))
        #expect(store.state == (0..<1000).map { "\($0)" })
        #expect(reports.all.map(\.steps) == (1...10).map { $0 * 100 })
    }
}

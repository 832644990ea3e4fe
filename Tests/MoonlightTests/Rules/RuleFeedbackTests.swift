import Moonlight
import Streams
import Synchronization
import Testing

@Suite("Rules")
struct RuleFeedbackTests {
    struct State: Equatable, Sendable {
        var count = 0
        var user: String?
    }
    struct Oops: Error {}

    private static func run(
        _ rules: [Rule.Complete<State, String>], _ effects: [@Sendable (inout State) -> Void]
    ) -> (events: [String], journal: [String]) {
        let events = Mutex<[String]>([])
        let journal = Mutex<[String]>([])
        let store = Store(
            initialState: State(), environment: (),
            options: LoopOptions(journal: { record in
                if case .rule = record.step { journal.withLock { $0.append("\(record)") } }
            }),
            feedback: { [Rule.events(of: rules, from: $0)] },
            transform: { (_, event: String, _) -> AnyPublisher<Int, Never> in
                if let index = Int(event) { return Just(index).eraseToAnyPublisher() }
                events.withLock { $0.append(event) }
                return Empty().eraseToAnyPublisher()
            },
            apply: { (state: inout State, index: Int) in effects[index](&state) })
        for index in effects.indices { store.send("\(index)") }
        return (events.withLock { $0 }, journal.withLock { $0 })
    }

    @Test("a rule fires when its pattern matches and its givens hold, in the order of declaration")
    func fires() {
        let rules: [Rule.Complete<State, String>] = [
            Rule("many").when(.becoming { (state: State) in state.count > 1 }).then { "many \($0.count)" },
            Rule("login").when(.appearing { (state: State) in state.user }).given { $0.isEmpty ? nil : $0 }
                .then { "hello \($0)" },
            Rule("change").when(.changing { (state: State) in state.count }).then { "\($0.from)->\($0.to)" },
        ]
        let (events, _) = Self.run(
            rules,
            [
                { $0.count = 1 },
                {
                    $0.count = 2
                    $0.user = ""
                },
                {
                    $0.count = 3
                    $0.user = "ann"
                },
            ])
        #expect(events == ["0->1", "many 2", "1->2", "hello ann", "2->3"])
    }

    @Test("a rule may look at the state beside what it has found")
    func withState() {
        let rules: [Rule.Complete<State, String>] = [
            Rule("count").when(.changing { (state: State) in state.count })
                .given { $0.to > 1 }
                .withState()
                .given { found, state in state.user.map { (name: $0, found.to) } }
                .withState()
                .then { "\($0.found.name) has \($0.found.1) of \($0.state.count)" }
        ]
        let (events, journal) = Self.run(
            rules,
            [
                { $0.count = 1 }, { $0.count = 2 },
                {
                    $0.count = 3
                    $0.user = "ann"
                },
            ])
        #expect(events == ["ann has 3 of 3"])
        #expect(
            journal.map { $0.split(separator: "  ").last } == [
                "rule count blocked by given 1", "rule count blocked by given 2", "rule count fired: 1 event",
            ])
    }

    @Test("a given that does not hold or throws is in the journal, with its number")
    func obstacles() {
        let rules: [Rule.Complete<State, String>] = [
            Rule("blocked").when(.becoming { (state: State) in state.count == 1 })
                .given { $0.count == 1 }.given { _ in false }.then { _ in "never" },
            Rule("failed").when(.leaving { (state: State) in state.count == 1 })
                .given { (_: State) -> State? in throw Oops() }.then { _ in "never" },
        ]
        let (events, journal) = Self.run(rules, [{ $0.count = 1 }, { $0.count = 2 }])
        #expect(events == [])
        #expect(
            journal == ["3 <- 2  rule blocked blocked by given 2", "6 <- 5  rule failed failed in given 1: Oops()"])
    }
}

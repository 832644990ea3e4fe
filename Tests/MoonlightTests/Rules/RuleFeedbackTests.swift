import Moonlight
import MoonlightTestSupport
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
    private typealias Change = PartChange<Int, Int>
    private typealias Named = (name: String, count: Int)

    private static func run(
        _ rules: [Rule.Complete<State, String>], _ effects: [@Sendable (inout State) -> Void]
    ) -> (events: [String], journal: [String]) {
        let events = Mutex<[String]>([])
        let journal = Mutex<[String]>([])
        let store = Store(
            reducer: Reducer(
                transform: { (_, event: String, _) -> AnyPublisher<Int, Never> in
                    if let index = Int(event) { return Just(index).eraseToAnyPublisher() }
                    events.withLock { $0.append(event) }
                    return Empty().eraseToAnyPublisher()
                }, apply: { (state: inout State, index: Int) in effects[index](&state) }),
            initialState: State(), environment: (),
            options: LoopOptions(journal: { record in
                if case .rule = record.step { journal.withLock { $0.append("\(record)") } }
            }),
            feedback: { [Rule.events(of: rules, from: $0)] })
        for index in effects.indices { store.send("\(index)") }
        return (events.withLock { $0 }, journal.withLock { $0 })
    }

    @Test("Rules fire in the order of declaration, each when its pattern matches and its givens hold")
    func fires() {
        let many: Rule.Complete<State, String> = Rule("many")
            .when(.becoming { (state: State) -> Bool in state.count > 1 })
            .then { (state: State) -> String in "many \(state.count)" }
        let login: Rule.Complete<State, String> = Rule("login")
            .when(.appearing { (state: State) -> String? in state.user })
            .compactMap { (user: String) -> String? in user.isEmpty ? nil : user }
            .then { (user: String) -> String in "hello \(user)" }
        let change: Rule.Complete<State, String> = Rule("change")
            .when(.changing { (state: State) -> Int in state.count })
            .then { (count: Change) -> String in "\(count.from)->\(count.to)" }
        let effects: [@Sendable (inout State) -> Void] = [
            { $0 = State(count: 1) }, { $0 = State(count: 2, user: "") }, { $0 = State(count: 3, user: "ann") },
        ]
        let (events, _) = Self.run([many, login, change], effects)
        expectEqual(events, ["0->1", "many 2", "1->2", "hello ann", "2->3"])
    }

    @Test("A rule with `withState` receives the state and the match in its givens and its events")
    func withState() {
        let count: Rule.Complete<State, String> = Rule("count")
            .when(.changing { (state: State) -> Int in state.count })
            .given { (count: Change) -> Bool in count.to > 1 }
            .withState()
            .compactMap { (count: Change, state: State) -> Named? in
                state.user.map { (name: String) -> Named in (name, count.to) }
            }
            .withState()
            .then { (named: Named, state: State) -> String in "\(named.name) has \(named.count) of \(state.count)" }
        let effects: [@Sendable (inout State) -> Void] = [
            { $0 = State(count: 1) }, { $0 = State(count: 2) }, { $0 = State(count: 3, user: "ann") },
        ]
        let (events, journal) = Self.run([count], effects)
        expectEqual(events, ["ann has 3 of 3"])
        let lines: [String] = journal.map { (line: String) -> String in String(line.split(separator: "  ").last ?? "") }
        expectEqual(lines, ["rule count blocked by given 1", "rule count blocked by given 2", "rule count fired: 1 event"])
    }

    @Test("A given with a text is recorded in the journal with it")
    func texts() {
        let rules: [Rule.Complete<State, String>] = [
            Rule("blocked").when(.becoming { (state: State) in state.count == 1 })
                .given { $0.count == 1 }.given("the count is large") { $0.count > 8 }.then { _ in "never" },
            Rule("without a user").when(.becoming { (state: State) in state.count == 1 })
                .compactMap("there is a user") { $0.user }.then { $0 },
            Rule("failed").when(.leaving { (state: State) in state.count == 1 })
                .given("all is well") { (_: State) -> Bool in throw Oops() }.then { _ in "never" },
        ]
        let (events, journal) = Self.run(rules, [{ $0.count = 1 }, { $0.count = 2 }])
        expectEqual(events, [])
        expectEqual(
            journal,
            [
                "3 <- 2  rule blocked blocked by: the count is large",
                "4 <- 2  rule without a user blocked by: there is a user",
                "7 <- 6  rule failed failed in \"all is well\": Oops()",
            ])
    }

    @Test("Rules of an observer that subscribes late can begin with the next change")
    func onlyChanges() {
        let rules = [
            Rule("user").when(.appearing { (state: State) in state.user }).then { "user \($0)" },
            Rule("many").when(.becoming { (state: State) in state.count > 1 }).then { "many \($0.count)" },
            Rule("any").when(.any).then { (change: Transition<State>) in "any \(change.after.count)" },
        ]
        let states = [State(count: 3, user: "ann"), State(count: 4, user: "ann"), State(count: 1), State(count: 5, user: "bob")]
            .publisher.eraseToAnyPublisher()
        let said = Recorder<String>()
        let subscription = Rule.events(of: rules, from: states, onlyChanges: true).sink { said.append($0) }
        expectEqual(said.all, ["any 4", "any 1", "user bob", "many 5", "any 5"])
        subscription.cancel()
    }

    @Test("An event that a rule sends for the first state has the rule as its cause")
    func firstState() {
        let causes = Recorder<Int?>()
        let rule = Rule("start").when(.becoming { (state: [String]) in state.isEmpty }).then { _ in ScriptEvent.words(["a"]) }
        let store = scriptStore(ScriptOptions(journal: { causes.append($0.cause) })) { [Rule.events(of: [rule], from: $0)] }
        // The rule, its event, the effect.
        expectEqual(causes.all, [nil, 1, 2])
        expectEqual(store.state, ["a"])
    }

    @Test("A given that does not hold or throws is recorded in the journal with its number")
    func obstacles() {
        let rules: [Rule.Complete<State, String>] = [
            Rule("blocked").when(.becoming { (state: State) in state.count == 1 })
                .given { $0.count == 1 }.given { _ in false }.then { _ in "never" },
            Rule("failed").when(.leaving { (state: State) in state.count == 1 })
                .given { (_: State) -> Bool in throw Oops() }.then { _ in "never" },
        ]
        let (events, journal) = Self.run(rules, [{ $0.count = 1 }, { $0.count = 2 }])
        expectEqual(events, [])
        expectEqual(
            journal, ["3 <- 2  rule blocked blocked by given 2", "6 <- 5  rule failed failed in given 1: Oops()"])
    }
}

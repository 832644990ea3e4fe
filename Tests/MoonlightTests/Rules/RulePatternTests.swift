import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Patterns of rules")
struct RulePatternTests {
    struct State: Equatable, Sendable {
        var count = 0
        var user: String?
    }

    private static let counts = [0, 1, 2, 1, 1, 0].map { State(count: $0) }
    private static let users = [nil, "ann", "ann", "bob", nil].map { State(user: $0) }

    /// The events of one rule, for each step from one state to the next, the first state included.
    private static func events(_ rule: Rule.Complete<State, String>, _ states: [State]) -> [String] {
        let events = Recorder<String>()
        let subscription = Rule.events(of: [rule], from: states.publisher.eraseToAnyPublisher())
            .sink { events.append($0) }
        withExtendedLifetime(subscription) {}
        return events.all
    }

    @Test("`becoming` matches when a condition becomes true, also in the first state")
    func becoming() {
        let rule = Rule("r").when(.becoming { (state: State) in state.count == 1 }).then { "\($0.count)" }
        expectEqual(Self.events(rule, Self.counts), ["1", "1"])
        expectEqual(Self.events(rule, [State(count: 1)]), ["1"])
    }

    @Test("`leaving` matches when a condition becomes false, and never in the first state")
    func leaving() {
        let rule = Rule("r").when(.leaving { (state: State) in state.count == 1 }).then { "\($0.count)" }
        expectEqual(Self.events(rule, Self.counts), ["2", "0"])
        expectEqual(Self.events(rule, [State(count: 0)]), [])
    }

    @Test("`changing` matches a part that changes, with both values, and never in the first state")
    func changing() {
        let rule = Rule("r").when(.changing { (state: State) in state.count }).then { "\($0.from)\($0.to)" }
        expectEqual(Self.events(rule, Self.counts), ["01", "12", "21", "10"])
    }

    @Test("`appearing` matches a part that was nil or another value, with the new one")
    func appearing() {
        let rule = Rule("r").when(.appearing { (state: State) in state.user }).then { $0 }
        expectEqual(Self.events(rule, Self.users), ["ann", "bob"])
        expectEqual(Self.events(rule, [State(user: "first")]), ["first"])
    }

    @Test("`vanishing` matches a part that becomes nil or another value, with the old one")
    func vanishing() {
        let rule = Rule("r").when(.vanishing { (state: State) in state.user }).then { $0 }
        expectEqual(Self.events(rule, Self.users), ["ann", "bob"])
    }

    @Test("`any` matches each change and the first state")
    func any() {
        let rule = Rule("r").when(RulePattern<State, Transition<State>>.any)
            .then { "\($0.before.map { "\($0.count)" } ?? "-")\($0.after.count)" }
        expectEqual(Self.events(rule, Array(Self.counts.prefix(3))), ["-0", "01", "12"])
    }

    @Test("A custom pattern is any function of both states")
    func own() {
        let rule = Rule("r")
            .when(RulePattern { (change: Transition<State>) in change.after.count - (change.before?.count ?? 0) })
            .given { $0 > 0 }
            .then { "+\($0)" }
        expectEqual(Self.events(rule, Self.counts), ["+1", "+1"])
    }

    @Test("Givens are evaluated in order, each with the result of the one before, up to the first that does not hold")
    func givens() {
        let tried = Recorder<String>()
        let rule = Rule("r").when(.appearing { (state: State) in state.user })
            .compactMap { (user: String) -> Int? in
                tried.append("first")
                return user.count
            }
            .given { (length: Int) -> Bool in
                tried.append("second")
                return length == 3
            }
            .compactMap { (length: Int) -> String? in
                tried.append("third")
                return length == 3 ? nil : "never"
            }
            .then { $0 }
        expectEqual(Self.events(rule, [State(user: "ann")]), [])
        expectEqual(tried.all, ["first", "second", "third"])
        expectEqual(Self.events(rule, [State(user: "anna")]), [])
        expectEqual(tried.all, ["first", "second", "third", "first", "second"])
    }

    @Test("A rule can send several events in order, or none")
    func severalEvents() {
        let rule = Rule("r").when(.changing { (state: State) in state.count })
            .thenAll { change in (0..<change.to).map { "\($0)" } }
        expectEqual(Self.events(rule, Self.counts), ["0", "0", "1", "0"])
    }
}

import Moonlight
import MoonlightTestSupport
import Streams
import Testing

@Suite("Patterns")
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

    @Test("becoming matches when something becomes true, also in the first state")
    func becoming() {
        let rule = Rule("r").when(.becoming { (state: State) in state.count == 1 }).then { "\($0.count)" }
        #expect(Self.events(rule, Self.counts) == ["1", "1"])
        #expect(Self.events(rule, [State(count: 1)]) == ["1"])
    }

    @Test("leaving matches when something is true no more; in the first state nothing has been left")
    func leaving() {
        let rule = Rule("r").when(.leaving { (state: State) in state.count == 1 }).then { "\($0.count)" }
        #expect(Self.events(rule, Self.counts) == ["2", "0"])
        #expect(Self.events(rule, [State(count: 0)]) == [])
    }

    @Test("changing matches a part that becomes another, and tells both; the first state is no change")
    func changing() {
        let rule = Rule("r").when(.changing { (state: State) in state.count }).then { "\($0.from)\($0.to)" }
        #expect(Self.events(rule, Self.counts) == ["01", "12", "21", "10"])
    }

    @Test("appearing matches what is there and was not, or was another")
    func appearing() {
        let rule = Rule("r").when(.appearing { (state: State) in state.user }).then { $0 }
        #expect(Self.events(rule, Self.users) == ["ann", "bob"])
        #expect(Self.events(rule, [State(user: "first")]) == ["first"])
    }

    @Test("vanishing matches what was there and is not, or is another, and tells what it was")
    func vanishing() {
        let rule = Rule("r").when(.vanishing { (state: State) in state.user }).then { $0 }
        #expect(Self.events(rule, Self.users) == ["ann", "bob"])
    }

    @Test("any matches each change and the first state")
    func any() {
        let rule = Rule("r").when(RulePattern<State, Transition<State>>.any)
            .then { "\($0.before.map { "\($0.count)" } ?? "-")\($0.after.count)" }
        #expect(Self.events(rule, Array(Self.counts.prefix(3))) == ["-0", "01", "12"])
    }

    @Test("a pattern of one's own is any function of both states")
    func own() {
        let rule = Rule("r")
            .when(RulePattern { (change: Transition<State>) in change.after.count - (change.before?.count ?? 0) })
            .given { $0 > 0 }
            .then { "+\($0)" }
        #expect(Self.events(rule, Self.counts) == ["+1", "+1"])
    }

    @Test("givens are tried in order, each with what the one before has made, and none after one that does not hold")
    func givens() {
        let tried = Recorder<String>()
        let rule = Rule("r").when(.appearing { (state: State) in state.user })
            .given { (user: String) -> Int? in
                tried.append("first")
                return user.count
            }
            .given { (length: Int) -> Bool in
                tried.append("second")
                return length == 3
            }
            .given { (length: Int) -> String? in
                tried.append("third")
                return length == 3 ? nil : "never"
            }
            .then { $0 }
        #expect(Self.events(rule, [State(user: "ann")]) == [])
        #expect(tried.all == ["first", "second", "third"])
        #expect(Self.events(rule, [State(user: "anna")]) == [])
        #expect(tried.all == ["first", "second", "third", "first", "second"])
    }

    @Test("a rule may send several events, or none, in order")
    func severalEvents() {
        let rule = Rule("r").when(.changing { (state: State) in state.count })
            .then { change in (0..<change.to).map { "\($0)" } }
        #expect(Self.events(rule, Self.counts) == ["0", "0", "1", "0"])
    }
}

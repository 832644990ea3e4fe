/// Something that follows from a change of the state: when a pattern matches, given that some things hold, then events.
///
/// ```swift
/// let greet = Rule("greet")
///     .when(.appearing { (state: AppState) in state.user })
///     .given { user in user.isNew ? user.name : nil }
///     .then { name in AppEvent.greeted(name) }
///
/// feedback: { states in [keys, Rule.events(of: [greet, remind], from: states)] }
/// ```
/// Rules are tried in the order in which they are declared, one change after the other. A given that returns nil or false
/// blocks its rule, one that throws fails it; neither is lost: the loop's journal tells of both, and of rules that fired.
/// If a pattern, a given or what makes the events cancels the loop, nothing that would come after it is called.
public struct Rule: Sendable {
    /// What the journal calls it.
    public let name: String

    /// A rule with a name.
    public init(_ name: String) { self.name = name }

    /// What the rule looks for.
    public func when<State, Match>(_ pattern: RulePattern<State, Match>) -> Given<State, Match> {
        Given(name: name, givens: 0) { change, course in
            let found = pattern.matches(change)
            return course.isOver ? [] : found.map { .success($0) }
        }
    }

    /// A rule that knows what it looks for.
    public struct Given<State, Match>: Sendable {
        let name: String
        let givens: Int
        /// Empty where the pattern does not match.
        let matches: @Sendable (Transition<State>, RuleCourse) -> [Result<Match, Obstacle>]

        /// One more thing that must hold: maps what was found, blocks the rule by nil, or fails it by an error.
        public func given<Next>(_ map: @escaping @Sendable (Match) throws -> Next?) -> Given<State, Next> {
            let (matches, number) = (matches, givens + 1)
            return Given<State, Next>(name: name, givens: number) { change, course in
                course.map(matches(change, course)) { match in
                    match.flatMap { found in
                        do {
                            return try map(found).map { .success($0) } ?? .failure(.blocked(given: number))
                        } catch {
                            return .failure(.failed(given: number, error))
                        }
                    }
                }
            }
        }

        /// One more thing that must hold: blocks the rule by false, or fails it by an error.
        public func given(_ condition: @escaping @Sendable (Match) throws -> Bool) -> Given {
            given { (found: Match) -> Match? in try condition(found) ? found : nil }
        }

        /// What was found, with the state after the change: for givens and events that need more of it.
        ///
        /// ```swift
        /// Rule("tell of the end")
        ///     .when(.transitioned(\Model.download, into: .done))
        ///     .withState()
        ///     .given { $0.state.isLoud }
        ///     .then { Event.say("done, \($0.state.waiting.count) to go") }
        /// ```
        public func withState() -> Given<State, (found: Match, state: State)> {
            let matches = matches
            return Given<State, (found: Match, state: State)>(name: name, givens: givens) { change, course in
                matches(change, course).map { match in match.map { ($0, change.after) } }
            }
        }

        /// The events that follow.
        public func then<Event>(_ events: @escaping @Sendable (Match) -> [Event]) -> Complete<State, Event> {
            let (name, matches) = (name, matches)
            return Complete { change, course in
                course.map(matches(change, course)) { Outcome(name: name, result: $0.map(events)) }
            }
        }

        /// The event that follows.
        public func then<Event>(_ event: @escaping @Sendable (Match) -> Event) -> Complete<State, Event> {
            then { [event($0)] }
        }
    }

    /// A rule that is whole.
    public struct Complete<State, Event>: Sendable {
        /// What comes of it, for each match: a rule of many children may match for each of them.
        let apply: @Sendable (Transition<State>, RuleCourse) -> [Outcome<Event>]
    }

    /// Why a rule did not fire.
    enum Obstacle: Error {
        case blocked(given: Int)
        case failed(given: Int, any Error)
    }

    /// What came of a rule whose pattern matched.
    struct Outcome<Event> {
        let name: String
        /// The child whose rule it is, from where the rule was asked.
        var path = ScopePath.root
        let result: Result<[Event], Obstacle>

        /// What the journal is told.
        ///
        /// - Parameter place: Where the rule was asked.
        func record(at place: ScopePath) -> RuleRecord {
            let step: RuleRecord.Step =
                switch result {
                case .success(let events): .fired(events: events.count)
                case .failure(.blocked(let given)): .blocked(given: given)
                case .failure(.failed(let given, let error)): .failed(given: given, error)
                }
            return RuleRecord(name: name, path: place.appending(path), step: step)
        }
    }
}

/// Whether the loop whose rules are asked goes on: what one closure of a rule does may end it, and then no other is called.
struct RuleCourse: Sendable {
    /// The loop; nil outside of one.
    let loop: LoopContext?

    var isOver: Bool { loop?.isCancelled ?? false }

    /// Calls for each of some things in order, as long as the loop goes on. Nothing comes of a call that ends it.
    func map<Input, Output>(_ all: some Sequence<Input>, _ transform: (Input) -> Output) -> [Output] {
        var results: [Output] = []
        for one in all {
            if isOver { return [] }
            results.append(transform(one))
        }
        return isOver ? [] : results
    }
}

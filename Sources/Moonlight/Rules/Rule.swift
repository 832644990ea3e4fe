/// A rule that sends events in response to a change of the state: *when* a pattern matches and the *givens* hold, *then* events
/// follow.
///
/// ```swift
/// let greet = Rule("greet")
///     .when(.appearing { (state: AppState) in state.user })
///     .given("the user is new") { user in user.isNew }
///     .then { user in AppEvent.greeted(user.name) }
///
/// feedback: { states in [keys, Rule.events(of: [greet, remind], from: states)] }
/// ```
///
/// For each change, rules are tried in the order in which they are declared. A given that returns false, or nil, blocks its rule;
/// one that throws fails it. The loop's journal records rules that fired, were blocked or failed. If a pattern, a given or a
/// closure that makes events cancels the loop, no further closure is called.
public struct Rule: Sendable {
    /// The name by which the journal refers to the rule.
    public let name: String

    /// Creates a rule.
    ///
    /// - Parameter name: The name by which the journal refers to the rule.
    public init(_ name: String) { self.name = name }

    /// Adds the pattern that a change must match.
    ///
    /// - Parameter pattern: The pattern.
    /// - Returns: The rule with its pattern, to be continued with `given`, `compactMap` and `then`.
    public func when<State, Match>(_ pattern: RulePattern<State, Match>) -> Given<State, Match> {
        Given(name: name, givens: 0) { change, place in place.unlessOver { pattern.match(change).map { .success($0) } } }
    }

    /// A rule with a pattern, to which givens and events are added.
    public struct Given<State, Match>: Sendable {
        let name: String
        /// The number of givens so far.
        let givens: Int
        /// Returns the match, or the given that did not hold; nil if the pattern does not match, or the loop was cancelled.
        let match: @Sendable (Transition<State>, LoopPlace?) -> Result<Match, Obstacle>?

        /// Adds a condition that the match must fulfill.
        ///
        /// - Parameters:
        ///   - text: The condition in words, as in "the basket is not empty". The journal names the condition by it if it blocks
        ///     or fails the rule, and otherwise by its number.
        ///   - condition: Blocks the rule by returning false, fails it by throwing.
        /// - Returns: The rule with one more given.
        public func given(
            _ text: String? = nil, _ condition: @escaping @Sendable (Match) throws -> Bool
        ) -> Given {
            compactMap(text) { found in try condition(found) ? found : nil }
        }

        // Not an overload of `given`, as `thenAll` is not one of `then`: with two closures to choose from, the compiler tries every
        // combination with the operators in the whole chain, and gives up after three givens.

        /// Adds a given that turns the match into another value, as `compactMap` of a sequence does.
        ///
        /// ```swift
        /// Rule("check stock")
        ///     .when(.changing { (shop: Shop) in shop.basket })
        ///     .compactMap("the basket is not empty") { change in change.to.last }
        ///     .then { item in Event.check(item) }
        /// ```
        ///
        /// - Parameters:
        ///   - text: The given in words. The journal names the given by it if it blocks or fails the rule, and otherwise by its
        ///     number.
        ///   - transform: Returns the value to pass on. Blocks the rule by returning nil, fails it by throwing.
        /// - Returns: The rule with one more given.
        public func compactMap<Next>(
            _ text: String? = nil, _ transform: @escaping @Sendable (Match) throws -> Next?
        ) -> Given<State, Next> {
            let given = RuleRecord.Given(number: givens + 1, text: text)
            return Given<State, Next>(name: name, givens: given.number) { [match] change, place in
                guard let match = match(change, place) else { return nil }
                return place.unlessOver {
                    match.flatMap { found in
                        do {
                            return try transform(found).map { .success($0) } ?? .failure(.blocked(by: given))
                        } catch {
                            return .failure(.failed(in: given, error))
                        }
                    }
                }
            }
        }

        /// Pairs the match with the state after the change, for givens and events that depend on more of the state.
        ///
        /// ```swift
        /// Rule("announce the end")
        ///     .when(.transitioned(\Model.download, into: .done))
        ///     .withState()
        ///     .given { $0.state.isLoud }
        ///     .then { Event.say("done, \($0.state.waiting.count) to go") }
        /// ```
        ///
        /// - Returns: The same rule, whose matches are pairs.
        public func withState() -> Given<State, (found: Match, state: State)> {
            Given<State, (found: Match, state: State)>(name: name, givens: givens) { [match] change, place in
                match(change, place)?.map { ($0, change.after) }
            }
        }

        /// Completes the rule with the one event that follows.
        ///
        /// - Parameter event: Makes the event of the match.
        /// - Returns: A complete rule.
        public func then<Event>(_ event: @escaping @Sendable (Match) -> Event) -> Complete<State, Event> {
            thenAll { [event($0)] }
        }

        /// Completes the rule with the events that follow, in order.
        ///
        /// - Parameter events: Makes the events of the match; none, for a rule whose closure only has a side effect.
        /// - Returns: A complete rule.
        public func thenAll<Event>(_ events: @escaping @Sendable (Match) -> [Event]) -> Complete<State, Event> {
            Complete { [name, match] change, place in
                guard let match = match(change, place) else { return [] }
                return place.unlessOver { Outcome(name: name, result: match.map(events)) }.map { [$0] } ?? []
            }
        }
    }

    /// A complete rule, to be passed to ``Rule/events(of:from:onlyChanges:)``.
    public struct Complete<State, Event>: Sendable {
        /// Returns the outcomes, of which there may be several: a rule that is scoped to many children may match for each of them.
        let apply: @Sendable (Transition<State>, LoopPlace?) -> [Outcome<Event>]
    }

    /// The reason why a rule whose pattern matched did not fire.
    enum Obstacle: Error {
        case blocked(by: RuleRecord.Given)
        case failed(in: RuleRecord.Given, any Error)
    }

    /// The outcome of a rule whose pattern matched.
    struct Outcome<Event> {
        let name: String
        /// The child that the rule belongs to, relative to where the rules are applied.
        var path = ScopePath.root
        let result: Result<[Event], Obstacle>

        /// Returns the outcome as a record for the journal.
        ///
        /// - Parameter place: The path at which the rules are applied.
        func record(at place: ScopePath) -> RuleRecord {
            let step: RuleRecord.Step =
                switch result {
                case .success(let events): .fired(events: events.count)
                case .failure(.blocked(let given)): .blocked(by: given)
                case .failure(.failed(let given, let error)): .failed(in: given, error)
                }
            return RuleRecord(name: name, path: ScopePath(place.elements + path.elements), step: step)
        }
    }
}

/// The place of rules in their loop; nil outside a loop. A closure of a rule may cancel the loop; then no other closure is called.
extension LoopPlace? {
    /// True once the loop was cancelled.
    var isOver: Bool { self?.context.isCancelled ?? false }

    /// Calls a closure, unless the loop was cancelled.
    ///
    /// - Returns: The result; nil also if the closure has cancelled the loop.
    func unlessOver<Result>(_ body: () -> Result?) -> Result? {
        if isOver { return nil }
        let result = body()
        return isOver ? nil : result
    }
}

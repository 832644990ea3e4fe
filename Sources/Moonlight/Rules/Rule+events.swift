import Streams

extension Rule {
    /// Returns the events that rules send in response to a loop's states. Use it as feedback.
    ///
    /// The journal records each rule whose pattern matched, and names that record as the cause of the rule's events.
    ///
    /// - Parameters:
    ///   - rules: The rules, tried in this order for each change.
    ///   - states: The loop's states.
    ///   - onlyChanges: Whether the first state only serves as the state before the first change, and no pattern matches it. For
    ///     an observer that subscribes to the states of a loop that has been running: otherwise `.becoming`, `.appearing` and
    ///     `.initialized` would match the current state as a change.
    /// - Returns: A publisher of events.
    public static func events<State, Event>(
        of rules: [Complete<State, Event>], from states: AnyPublisher<State, Never>, onlyChanges: Bool = false
    ) -> AnyPublisher<Event, Never> {
        .inLoop { place in
            let follow = { (change: Transition<State>?) -> AnyPublisher<Event, Never> in
                guard let change, !onlyChanges || change.before != nil else { return .none }
                var caused: [(event: Event, record: Int?)] = []
                for outcome in rules.lazy.flatMap({ place.isOver ? [] : $0.apply(change, place) }) {
                    let number = place?.note(outcome.record(at: place?.path ?? .root))
                    if case .success(let events) = outcome.result { caused += events.map { ($0, number) } }
                }
                return caused.isEmpty ? .none : LoopPlace.publisher(of: caused, at: place)
            }
            return states.scan(nil as Transition<State>?) { Transition(before: $0?.after, after: $1) }.flatMap(sendable(follow))
        }
    }
}

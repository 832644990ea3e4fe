import Streams

extension Rule {
    /// Returns the events that rules send in response to a loop's states. Use it as feedback.
    ///
    /// The journal records each rule whose pattern matched, and names that record as the cause of the rule's events.
    ///
    /// - Parameters:
    ///   - rules: The rules, tried in this order for each change.
    ///   - states: The loop's states.
    ///   - onlyChanges: Whether the first state only serves as the state before the first change, and no pattern matches it. For an
    ///     observer that subscribes to the states of a loop that has been running: otherwise it would be told of what has long been
    ///     so, as `.becoming`, `.appearing` and `.initialized` match a first state.
    /// - Returns: A publisher of events.
    public static func events<State, Event>(
        of rules: [Complete<State, Event>], from states: AnyPublisher<State, Never>, onlyChanges: Bool = false
    ) -> AnyPublisher<Event, Never> {
        AnyPublisher(RuleEvents(rules: rules, states: states, onlyChanges: onlyChanges))
    }
}

/// The publisher of the events that rules send for each change of a state.
private struct RuleEvents<State, Event>: GrammaticalPublisher {
    typealias Output = Event
    typealias Failure = Never

    let rules: [Rule.Complete<State, Event>]
    let states: AnyPublisher<State, Never>
    let onlyChanges: Bool

    func receive<S: Subscriber>(subscriber: S) where S.Input == Event, S.Failure == Never {
        // The subscriber leads to the loop's journal; outside a loop there is none.
        let member = subscriber._subscriberContext as? any LoopMember
        let (context, path) = (member?.context, member?.path ?? .root)
        let rules = rules
        let onlyChanges = onlyChanges
        let follow = { (change: Transition<State>?) -> AnyPublisher<Event, Never> in
            guard let change, !onlyChanges || change.before != nil else { return Empty().eraseToAnyPublisher() }
            var firings: [Firing<Event>] = []
            let course = RuleCourse(loop: context)
            for outcome in rules.lazy.flatMap({ course.isOver ? [] : $0.apply(change, course) }) {
                let number = context?.take(.rule(outcome.record(at: path)), cause: nil)
                if case .success(let events) = outcome.result { firings.append(Firing(record: number, events: events)) }
            }
            if firings.isEmpty { return Empty().eraseToAnyPublisher() }
            return Firings(all: firings, context: context).publisher.eraseToAnyPublisher()
        }
        states
            .scan(nil as Transition<State>?) { Transition(before: $0?.after, after: $1) }
            .flatMap(sendable(follow))
            .receive(subscriber: subscriber)
    }
}

/// The events of a rule that fired, and the number of its record in the journal.
private struct Firing<Event> {
    let record: Int?
    let events: [Event]
}

/// The events of several rules, in order. While a rule's events are delivered, its record is the current cause in the journal.
private struct Firings<Event>: Sequence {
    let all: [Firing<Event>]
    let context: LoopContext?

    func makeIterator() -> some IteratorProtocol<Event> {
        var (firing, event) = (0, 0)
        var causeBefore: Int?
        return AnyIterator {
            while firing < all.count {
                if event == 0, let record = all[firing].record {
                    let cause = context?.replaceCause(record)
                    causeBefore = causeBefore ?? cause
                }
                if event < all[firing].events.count {
                    defer { event += 1 }
                    return all[firing].events[event]
                }
                (firing, event) = (firing + 1, 0)
            }
            if let causeBefore { context?.replaceCause(causeBefore) }
            causeBefore = nil
            return nil
        }
    }
}

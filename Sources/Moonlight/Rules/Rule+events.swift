import Streams

extension Rule {
    /// The events that follow from the states of a loop: a feedback like any other.
    ///
    /// - Parameters:
    ///   - rules: Tried in this order for each change.
    ///   - states: The loop's states.
    public static func events<State, Event>(
        of rules: [Complete<State, Event>], from states: AnyPublisher<State, Never>
    ) -> AnyPublisher<Event, Never> {
        AnyPublisher(RuleEvents(rules: rules, states: states))
    }
}

/// Applies rules to each change of a state.
private struct RuleEvents<State, Event>: GrammaticalPublisher {
    typealias Output = Event
    typealias Failure = Never

    let rules: [Rule.Complete<State, Event>]
    let states: AnyPublisher<State, Never>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Event, S.Failure == Never {
        // The journal is found by way of whoever takes the events in; outside a loop there is none.
        let context = (subscriber.subscriberContext as? any LoopMember)?.context
        let rules = rules
        states
            .scan(nil as Transition<State>?) { Transition(before: $0?.after, after: $1) }
            .flatMap { change -> AnyPublisher<Event, Never> in
                guard let change else { return Empty().eraseToAnyPublisher() }
                var events: [Event] = []
                for case let outcome? in rules.lazy.map({ $0.apply(change) }) {
                    context?.take(.rule(outcome.record), cause: nil)
                    if case .success(let new) = outcome.result { events += new }
                }
                return events.publisher.eraseToAnyPublisher()
            }
            .receive(subscriber: subscriber)
    }
}

import Streams

extension LoopPlace {
    /// True once the loop was cancelled.
    final var isOver: Bool { context.isCancelled }

    /// Writes the record of a rule into the journal, if one is kept.
    ///
    /// - Returns: The number of the record, if it could be written at once.
    final func note(_ rule: @autoclosure () -> RuleRecord) -> Int? { context.take(.rule(rule()), cause: nil) }

    /// Returns a publisher of events, each with the number of the record that has caused it; nil if no journal is kept. While an event
    /// is delivered, its record is the current cause in the journal.
    static func publisher<Event>(of events: [(Event, record: Int?)], at place: LoopPlace?) -> AnyPublisher<Event, Never> {
        CausedEvents(events: events, context: place?.context).publisher.eraseToAnyPublisher()
    }
}

extension AnyPublisher where Failure == Never {
    /// Creates feedback that depends on its place.
    ///
    /// - Parameter make: Called at each subscription, with the place; nil outside a loop.
    static func inLoop<P: Publisher<Output, Never>>(_ make: @escaping (LoopPlace?) -> P) -> AnyPublisher {
        AnyPublisher(PlacedFeedback(make: make))
    }
}

private struct PlacedFeedback<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let make: (LoopPlace?) -> Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        make(subscriber.loopPlace)._receive(trusting: subscriber, named: "Feedback")
    }
}

private struct CausedEvents<Event>: Sequence {
    let events: [(Event, record: Int?)]
    let context: LoopContext?

    func makeIterator() -> some IteratorProtocol<Event> {
        var rest = events[...]
        var causeBefore: Int?
        return AnyIterator {
            guard let (event, record) = rest.popFirst() else {
                if let cause = causeBefore.take() { context?.replaceCause(cause) }
                return nil
            }
            if let record {
                let cause = context?.replaceCause(record)
                causeBefore = causeBefore ?? cause
            }
            return event
        }
    }
}

extension Publisher where Failure == Never {
    /// Finishes when the loop that this stream belongs to begins to drain. Use it on streams that never finish by themselves,
    /// such as tickers and subscriptions.
    ///
    /// ```swift
    /// states.react(when: \.isOpen) { prices.map(Event.price).untilDraining() }
    /// ```
    ///
    /// It works in feedback, reactions and effects; outside a loop it does nothing. See `Store.drain(within:)`.
    ///
    /// - Returns: A publisher of the same values.
    public func untilDraining() -> AnyPublisher<Output, Never> {
        .inLoop { place in
            guard let place else { return AnyPublisher(self) }
            let draining = place.context.service(Draining.self).begins
            return AnyPublisher(prefix(untilOutputFrom: draining.filter { $0 }))
        }
    }
}

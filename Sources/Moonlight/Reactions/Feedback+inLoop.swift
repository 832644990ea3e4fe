import Streams

extension LoopPlace {
    /// Writes the record of a rule into the journal, if one is kept.
    ///
    /// - Returns: The number of the record, if it could be written at once.
    final func note(_ rule: @autoclosure () -> RuleRecord) -> Int? {
        context.journal?.take(.rule(rule()), cause: nil)
    }

    /// Returns a publisher of events, each with the number of the record that has caused it; nil if no journal is kept. While an event
    /// is delivered, its record is the current cause in the journal.
    static func publisher<Event>(of events: [(event: Event, record: Int?)], at place: LoopPlace?) -> AnyPublisher<Event, Never> {
        guard let journal = place?.context.journal else { return AnyPublisher(storing: .values(events.map(\.event))) }
        let before = journal.causeHere
        let caused = { (next: (event: Event, record: Int?)) in
            if let record = next.record { journal.setCause(record) }
            return next.event
        }
        return AnyPublisher(
            storing: .hiding(
                events.publisher.map(sendable(caused)).handleEvents(receiveCompletion: { _ in journal.setCause(before) })))
    }
}

extension AnyPublisher where Failure == Never {
    /// Creates feedback that depends on its place.
    ///
    /// - Parameter make: Called at each subscription, with the place; nil outside a loop.
    static func inLoop<P: Publisher<Output, Never>>(_ make: @escaping (LoopPlace?) -> P) -> AnyPublisher {
        placed { (make($0), nil, nil) }
    }

    /// Creates feedback that depends on its place, and may have another one.
    ///
    /// - Parameter make: Called at each subscription, with the place; nil outside a loop. Returns the feedback, its own place, if that
    ///   is another one, and for a reaction, the mark of its events.
    static func placed<P: Publisher<Output, Never>>(
        _ make: @escaping (LoopPlace?) -> (feedback: P, place: LoopPlace?, transit: Transit?)
    ) -> AnyPublisher { AnyPublisher(storing: .hiding(PlacedFeedback(make: make))) }
}

private struct PlacedFeedback<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let make: (LoopPlace?) -> (feedback: Upstream, place: LoopPlace?, transit: Transit?)

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        let (feedback, place, transit) = make(subscriber._subscriberContext as? LoopPlace)
        guard let place else { return feedback._receive(trusting: subscriber, named: "Feedback") }
        let subscriber = PlacedSubscriber(downstream: subscriber, place: place, transit: transit)
        feedback._receive(trusting: subscriber, named: "Feedback")
    }
}

/// A subscriber of feedback that has its own place in the loop.
private struct PlacedSubscriber<Downstream: Subscriber>: PassingSubscriber where Downstream.Failure == Never {
    typealias Failure = Never

    let downstream: Downstream
    let place: LoopPlace
    /// Marks the events of a reaction. It is released when the reaction has ended; the loop then checks whether anything is still
    /// in flight.
    let transit: Transit?

    var _subscriberContext: (any _SubscriberContext)? { place }

    func receive(_ event: Downstream.Input) -> Subscribers.Demand {
        guard let transit else { return downstream.receive(event) }
        return WorkContext.with(origin: transit) { downstream.receive(event) }
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
            guard let place else { return erased }
            return AnyPublisher(storing: .hiding(prefix(untilOutputFrom: place.context.service(Draining.self).begins.sent)))
        }
    }
}

import Streams

/// The loop that a stream of feedback belongs to, and the child in it.
struct FeedbackPlace: Sendable {
    let context: LoopContext
    /// The path of the child; see ``Streams/Publisher/located(at:)``.
    let path: ScopePath

    /// The place of a subscriber; nil if it does not belong to a loop.
    init?(of subscriber: some Subscriber) {
        guard let member = subscriber._subscriberContext as? any LoopMember, let context = member.context else { return nil }
        self.context = context
        path = member.path
    }

    /// True once the loop was cancelled.
    var isOver: Bool { context.isCancelled }

    /// Writes the record of a rule into the journal, if one is kept.
    ///
    /// - Returns: The number of the record, if it could be written at once.
    func note(_ rule: @autoclosure () -> RuleRecord) -> Int? { context.take(.rule(rule()), cause: nil) }

    /// Returns a publisher of the events of several records, in order. While the events of a record are delivered, that record is
    /// the current cause in the journal.
    static func publisher<Event>(of firings: [Firing<Event>], at place: FeedbackPlace?) -> AnyPublisher<Event, Never> {
        Firings(all: firings, context: place?.context).publisher.eraseToAnyPublisher()
    }
}

extension AnyPublisher where Failure == Never {
    /// Creates feedback that depends on its place.
    ///
    /// - Parameter make: Called at each subscription, with the place; nil outside a loop.
    static func inLoop<P: Publisher<Output, Never>>(_ make: @escaping (FeedbackPlace?) -> P) -> AnyPublisher {
        AnyPublisher(PlacedFeedback(make: make))
    }
}

private struct PlacedFeedback<Upstream: Publisher>: GrammaticalPublisher where Upstream.Failure == Never {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let make: (FeedbackPlace?) -> Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        make(FeedbackPlace(of: subscriber))._receive(trusting: subscriber, named: "Feedback")
    }
}

/// Events that one record in the journal has caused.
struct Firing<Event> {
    /// The number of the record; nil if no journal is kept.
    let record: Int?
    let events: [Event]
}

private struct Firings<Event>: Sequence {
    let all: [Firing<Event>]
    let context: LoopContext?

    func makeIterator() -> some IteratorProtocol<Event> {
        var firing = 0
        var event = 0
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
                firing += 1
                event = 0
            }
            if let causeBefore { context?.replaceCause(causeBefore) }
            causeBefore = nil
            return nil
        }
    }
}

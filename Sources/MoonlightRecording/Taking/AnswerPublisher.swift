import Streams

/// A stream whose values and end lead to calls and timers that are due to what has called for the stream.
struct AnswerPublisher<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    /// The number of the record in the journal that caused the call; nil if it came from outside the loop.
    let cause: Int?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(AnswerSubscriber(downstream: subscriber, cause: cause))
    }
}

private struct AnswerSubscriber<Downstream: Subscriber>: Subscriber {
    let downstream: Downstream
    let cause: Int?

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    var _subscriberContext: AnyObject? { downstream._subscriberContext }

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        RecordedTimer.$cause.withValue(cause) { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        RecordedTimer.$cause.withValue(cause) { downstream.receive(completion: completion) }
    }
}

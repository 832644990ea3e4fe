import Streams

extension DrivenSubject {
    /// Creates the stream of a loop's states.
    ///
    /// Once the loop is cancelled, no observer receives a state any more, even if others have already received it in the same
    /// round.
    @inlinable
    convenience init(_ state: Output, of loop: LoopCancellation) {
        self.init(state, companion: loop) { states, subscriber in
            let cancellation = unsafeDowncast(states.companion, to: LoopCancellation.self)
            states.attach(StateSubscriber(downstream: subscriber, cancellation: cancellation))
        }
    }
}

/// Passes states on until the loop is cancelled.
@usableFromInline
struct StateSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let cancellation: LoopCancellation

    @inlinable
    init(downstream: Downstream, cancellation: LoopCancellation) {
        self.downstream = downstream
        self.cancellation = cancellation
    }

    @inlinable
    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable
    func receive(_ state: Downstream.Input) -> Subscribers.Demand {
        cancellation.isCancelled ? .none : downstream.receive(state)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }

    @inlinable
    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}

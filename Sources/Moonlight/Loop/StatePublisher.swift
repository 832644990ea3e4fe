import Streams

/// The stream of a loop's states.
///
/// Once the loop is cancelled, no observer receives a state any more, even if others have already received it in the same
/// round.
@usableFromInline
struct StatePublisher<State>: GrammaticalPublisher {
    @usableFromInline typealias Output = State
    @usableFromInline typealias Failure = Never

    @usableFromInline let states: CurrentValueSubject<State, Never>
    @usableFromInline let cancellation: LoopCancellation

    @inlinable
    init(states: CurrentValueSubject<State, Never>, cancellation: LoopCancellation) {
        self.states = states
        self.cancellation = cancellation
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == State, S.Failure == Never {
        states.subscribe(StateSubscriber(downstream: subscriber, cancellation: cancellation))
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

import Streams

/// The stream of a loop's states.
///
/// Once the loop is cancelled, not even the observers that come later in the same round get the state.
@usableFromInline
struct StatePublisher<State>: GrammaticalPublisher {
    @usableFromInline typealias Output = State
    @usableFromInline typealias Failure = Never

    @usableFromInline let states: CurrentValueSubject<State, Never>
    @usableFromInline let isCancelled: CancellationFlag

    @inlinable
    init(states: CurrentValueSubject<State, Never>, isCancelled: CancellationFlag) {
        self.states = states
        self.isCancelled = isCancelled
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == State, S.Failure == Never {
        states.subscribe(StateSubscriber(downstream: subscriber, isCancelled: isCancelled))
    }
}

@usableFromInline
struct StateSubscriber<Downstream: Subscriber>: Subscriber {
    @usableFromInline typealias Failure = Downstream.Failure
    @usableFromInline let downstream: Downstream
    @usableFromInline let isCancelled: CancellationFlag

    @inlinable
    init(downstream: Downstream, isCancelled: CancellationFlag) {
        self.downstream = downstream
        self.isCancelled = isCancelled
    }

    @inlinable
    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable
    func receive(_ state: Downstream.Input) -> Subscribers.Demand {
        isCancelled.isSet ? .none : downstream.receive(state)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }

    @inlinable
    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}

import MoonlightTesting
import Streams

/// A stream of effects while it is alive, in one play.
final class LiveEffect: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    let executor: MarkedExecutor
    var mark: Int { executor.mark }
    let event: AnyHashable, state: AnyHashable, part: Int
    var told: [Told] = []
    /// Cancels the effect when it sends something.
    let cancellation = PassthroughSubject<Void, Never>()
    /// The number of values that each call has sent so far, by the call's number.
    var valuesSent: [Int: Int] = [:]

    init(_ executor: MarkedExecutor, _ event: AnyHashable, _ state: AnyHashable, part: Int) {
        (self.executor, self.event, self.state, self.part) = (executor, event, state, part)
    }

    /// Whether this is feedback, which is alive as long as the loop.
    var isFeedback: Bool { event == AnyHashable("feedback") }

    var key: EffectKey { EffectKey(event: event, state: state, part: part, told: told) }
}

/// A stream of effects that tells when it begins and ends. What runs while it is subscribed to has its mark.
struct MarkedEffects<Effect>: GrammaticalPublisher {
    typealias Output = Effect
    typealias Failure = Never
    let effects: AnyPublisher<Effect, Never>
    let begin: @Sendable () -> LiveEffect
    let end: @Sendable (Int) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        let effect = begin()
        let mark = effect.mark
        effect.executor.run {
            effects.prefix(untilOutputFrom: effect.cancellation)
                .handleEvents(receiveCompletion: { [end] _ in end(mark) }, receiveCancel: { [end] in end(mark) })
                .receive(subscriber: subscriber)
        }
    }
}

/// The states as feedback sees them: what runs while one is delivered has the mark of feedback.
struct MarkedStates<State>: GrammaticalPublisher {
    typealias Output = State
    typealias Failure = Never
    let states: AnyPublisher<State, Never>
    let executor: MarkedExecutor
    let note: @Sendable (State) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == State, S.Failure == Never {
        executor.run {
            states.receive(subscriber: MarkedSubscriber(downstream: subscriber, executor: executor, note: note))
        }
    }
}

private struct MarkedSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Failure == Never {
    let downstream: Downstream
    let executor: MarkedExecutor
    let note: @Sendable (Downstream.Input) -> Void
    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        note(input)
        return executor.run { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: completion) }
}

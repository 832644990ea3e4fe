import MoonlightTesting
import Streams

/// The origin of an effect that no event has caused.
enum FeedbackEffect: Hashable {
    case feedback
    case reaction
}

/// A stream of effects while it is live, in one play.
@usableFromInline
final class LiveEffect: @unchecked Sendable {
    // Sound: used by the one thread of the play.
    let executor: MarkedExecutor
    var mark: Int { executor.mark }
    let event: AnyHashable
    let state: AnyHashable
    let part: Int
    var received: [Received] = []
    /// Cancels the effect when it sends something; nil if no effect is cancelled from outside.
    @usableFromInline let cancellation: PassthroughSubject<Void, Never>?
    /// The number of values that each call has sent, by the call's number.
    var valuesSent: [Int: Int] = [:]

    /// The effects to which it belongs.
    private unowned let life: EffectLife

    init(
        _ executor: MarkedExecutor, _ event: AnyHashable, _ state: AnyHashable, part: Int, isCancellable: Bool,
        isFeedback: Bool, in life: EffectLife
    ) {
        cancellation = isCancellable ? PassthroughSubject() : nil
        self.executor = executor
        self.event = event
        self.state = state
        self.part = part
        self.isFeedback = isFeedback
        self.life = life
    }

    /// Runs a closure as code of the effect.
    @usableFromInline func run(_ body: () -> Void) { executor.run(body) }

    /// Removes the effect, which has ended.
    @usableFromInline func end() { life.end(mark) }

    /// True for feedback, which lives as long as the loop.
    let isFeedback: Bool

    var key: EffectKey { EffectKey(event: event, state: state, part: part, received: received) }
}

/// The states that feedback observes; code that runs while one is delivered has the mark of feedback.
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

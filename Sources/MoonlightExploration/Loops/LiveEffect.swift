import Moonlight
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
    /// True if the effect ends as soon as its job does, as nothing follows the job.
    @usableFromInline var endsWithJob = false
    /// The number of values that each call has sent, by the call's number.
    var valuesSent: [Int: Int] = [:]

    /// The live effects of the play.
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

    /// Removes the effect after its end.
    @usableFromInline func end() { life.end(mark) }

    /// True for feedback, which lives as long as the loop.
    let isFeedback: Bool

    var key: EffectKey { EffectKey(event: event, state: state, part: part, received: received) }
}

/// A stream whose values are delivered as code of an effect, such as the states that feedback observes.
struct MarkedOutput<Output>: GrammaticalPublisher {
    typealias Failure = Never
    let upstream: AnyPublisher<Output, Never>
    let executor: MarkedExecutor
    /// Called with each value before its delivery.
    var note: @Sendable (Output) -> Void = { _ in }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
        executor.run {
            upstream.receive(subscriber: MarkedSubscriber(downstream: subscriber, executor: executor, note: note))
        }
    }
}

private struct MarkedSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Failure == Never {
    let downstream: Downstream
    let executor: MarkedExecutor
    let note: @Sendable (Downstream.Input) -> Void
    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
    var _subscriberContext: (any _SubscriberContext)? { downstream._subscriberContext }

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        note(input)
        return executor.run { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Never>) {
        executor.run { downstream.receive(completion: completion) }
    }
}

/// The live effects of a play, in the order in which they began.
final class EffectLife: ReactionMarker, @unchecked Sendable {
    // Sound: used by the one thread of the play.
    private(set) var effects: [LiveEffect] = []
    /// The executor of the feedback; nil if there is none.
    private var feedback: MarkedExecutor?
    /// The reactions that were subscribed to inside of effects, by their numbers.
    private var inner: [Int: InnerReaction] = [:]
    /// The executors of all effects that have begun, by their marks.
    private var executors: [MarkedExecutor] = []
    /// The executor that the executors of effects use; set before any effect begins.
    var base: ManualExecutor?
    /// Returns true if an effect has made a call.
    var hasCalled: (_ mark: Int) -> Bool = { _ in false }
    /// The number of cancellations by effects that have found no job.
    private(set) var misses = 0
    /// The marks of the effects to which timers belong, by the timers' numbers.
    private var timers: [Int?] = []
    /// True if effects may be cancelled from outside.
    private let isCancellable: Bool
    /// True if each reaction of feedback counts as an effect, and feedback itself is identified by the last state alone.
    let marksReactions: Bool

    init(isCancellable: Bool, marksReactions: Bool) {
        self.isCancellable = isCancellable
        self.marksReactions = marksReactions
    }

    func beginFeedback(_ state: AnyHashable) -> LiveEffect {
        let effect = begin(AnyHashable(FeedbackEffect.feedback), state, part: 0, isFeedback: true)
        feedback = effect.executor
        return effect
    }

    func begin(_ number: Int) {
        guard let outer = effects.first(where: { $0.mark == EffectMark.current }) else { return }
        // The number among those of the effect, since that of the loop is another one each time that the effect begins.
        let origin = EffectKey(event: outer.event, state: outer.state, part: outer.part, received: [])
        inner[number] = InnerReaction(
            mark: outer.mark, outer: AnyHashable(origin), number: inner.values.count { $0.mark == outer.mark })
    }

    func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any, of number: Int) -> AnyPublisher<Event, Never> {
        let inner = inner[number]
        let key = inner.map { AnyHashable([distinction(of: key), $0.outer]) } ?? distinction(of: key)
        let marked = MarkedEffects(
            effects: stream, begin: { [unowned self] part in begin(AnyHashable(FeedbackEffect.reaction), key, part: part) },
            part: inner?.number ?? number)
        // What is below the reaction is not part of it, and lives longer.
        guard let below = inner.map({ executors[$0.mark] }) ?? feedback else { return AnyPublisher(marked) }
        return AnyPublisher(MarkedOutput(upstream: AnyPublisher(marked), executor: below))
    }

    func begin(_ event: AnyHashable, _ state: AnyHashable, part: Int, isFeedback: Bool = false) -> LiveEffect {
        guard let base else { preconditionFailure("an effect began before the executor of the play was set: set it first") }
        let mark = executors.count
        let executor = MarkedExecutor(
            mark, on: base, reactions: marksReactions ? self : nil, onMiss: { [unowned self] in misses += 1 },
            noteJob: { [unowned self] change, id in note(change, of: id, in: mark) })
        executors.append(executor)
        let effect = LiveEffect(
            executor, event, state, part: part, isCancellable: isCancellable, isFeedback: isFeedback, in: self)
        effects.append(effect)
        return effect
    }

    /// Runs a closure as code of an effect, or of no effect if the mark is nil.
    private func run(_ mark: Int?, _ action: () -> Void) {
        if let mark { executors[mark].run(action) } else if let base { TaskPlace.with(base, action) }
    }

    /// Records that others have changed a job of an effect.
    private func note(_ change: JobChange, of id: JobID, in mark: Int) {
        guard let effect = effects.first(where: { $0.mark == mark }) else { return }
        // A job that begins before anything else has happened begins as if it had not waited.
        if change == .began, effect.received.isEmpty, !hasCalled(mark) { return }
        effect.received.append(.job(id, change))
    }

    // MARK: Timers

    /// Returns the number of a new timer, which belongs to the effect whose code runs.
    @Sendable func beginTimer() -> Int? {
        timers.append(EffectMark.current)
        return timers.count - 1
    }

    /// Returns the mark of the effect that a timer belongs to; nil if it belongs to none.
    func effect(ofTimer timer: Int?) -> Int? { timer.flatMap { timers[$0] } }

    /// Runs the closure of a timer as code of its effect.
    @Sendable func run(timer: Int?, _ action: () -> Void) { run(effect(ofTimer: timer), action) }

    // MARK: The end

    /// Removes an effect that has ended.
    func end(_ mark: Int) { effects.removeAll { $0.mark == mark } }
}

/// A reaction that was subscribed to inside of an effect.
private struct InnerReaction {
    /// The mark of the effect.
    let mark: Int
    /// The origin of the effect.
    let outer: AnyHashable
    /// The number of the reaction among those of the effect.
    let number: Int
}

import Moonlight
import MoonlightTesting
import Streams

/// The effects that are alive in a play, in the order in which they began.
final class EffectLife: ReactionMarker, @unchecked Sendable {
    // Sound: used by the one thread of the play.
    private(set) var effects: [LiveEffect] = []
    /// The executors of all effects that have begun, by their marks.
    private var executors: [MarkedExecutor] = []
    /// What the executors of effects are based on: set before any effect begins.
    var base: ManualExecutor?
    /// Whether effects are cancelled from outside.
    private let isCancellable: Bool
    /// Whether each reaction of feedback is an effect of its own, and feedback itself is only known by the last state.
    let marksReactions: Bool

    init(isCancellable: Bool, marksReactions: Bool) {
        self.isCancellable = isCancellable
        self.marksReactions = marksReactions
    }

    func beginFeedback(_ state: AnyHashable) -> LiveEffect {
        begin(AnyHashable(FeedbackEffect.feedback), state, part: 0, isFeedback: true)
    }

    func marked<Event>(_ stream: AnyPublisher<Event, Never>, key: Any) -> AnyPublisher<Event, Never> {
        let key = distinction(of: key)
        return AnyPublisher(
            MarkedEffects(
                effects: stream, begin: { [unowned self] part in begin(AnyHashable(FeedbackEffect.reaction), key, part: part) },
                part: 0))
    }

    func begin(_ event: AnyHashable, _ state: AnyHashable, part: Int, isFeedback: Bool = false) -> LiveEffect {
        guard let base else { preconditionFailure("an effect has begun before the play has its executor: set it first") }
        let executor = MarkedExecutor(executors.count, on: base, reactions: marksReactions ? self : nil)
        executors.append(executor)
        let effect = LiveEffect(
            executor, event, state, part: part, isCancellable: isCancellable, isFeedback: isFeedback, in: self)
        effects.append(effect)
        return effect
    }

    /// Runs a closure as code of an effect; of none, if the mark is nil.
    @Sendable func run(_ mark: Int?, _ action: () -> Void) {
        if let mark { executors[mark].run(action) } else if let base { TaskPlace.with(base, action) }
    }

    /// Notes that an effect has ended.
    func end(_ mark: Int) { effects.removeAll { $0.mark == mark } }
}

/// What tells events, queries and the like apart: the value if it is Hashable, else its description, with all that it holds.
func distinction(of value: Any) -> AnyHashable {
    if let hashable = value as? AnyHashable { return hashable }
    var text = ""
    dump(value, to: &text)
    return AnyHashable(text)
}

/// Returns ``distinction(of:)`` for values of a type. Whether they are Hashable is asked once.
func distinguishing<Value>(_ type: Value.Type) -> (Value) -> AnyHashable {
    if type is any Hashable.Type { { $0 as! AnyHashable } } else { distinction }
}

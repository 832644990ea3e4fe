import Moonlight
import Streams

/// Starts the loops of plays.
///
/// It is made where an exploration is: there the types are known, so that the optimiser sees through the reducer and the loop. Most
/// of an exploration's time is spent in loops that play the same steps again.
@usableFromInline
struct PlayLoop<State: Equatable, Event, Effect, Environment> {
    /// Makes the streams of events of a loop's feedback.
    @usableFromInline typealias Feedback = (AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>]

    @usableFromInline let start:
        (
            _ given: State, _ environment: Environment, _ marks: EffectMarks<State, Event>,
            _ options: LoopOptions<State, Event, Effect>, _ feedback: Feedback
        ) -> Store<State, Event>

    @inlinable
    init(_ reducer: Reducer<State, Event, Effect, Environment>) {
        start = { given, environment, marks, options, feedback in
            let marking = reducer.middleware(marks.marking())
            return Store(reducer: marking, initialState: given, environment: environment, options: options, feedback: feedback)
        }
    }
}

/// Returns a stream that is marked when it is subscribed to. What is merged is marked one by one, as a merge has no memory.
@inlinable
func marked<Effect>(
    _ stream: AnyPublisher<Effect, Never>, _ begin: @escaping (_ part: Int) -> LiveEffect, _ part: inout Int
) -> AnyPublisher<Effect, Never> {
    if let parts = stream.mergedParts {
        return AnyPublisher(Publishers.MergeMany(parts.map { marked($0, begin, &part) }))
    }
    part += 1
    if stream.isReady { return stream }
    return AnyPublisher(MarkedEffects(effects: stream, begin: begin, part: part))
}

/// How a play notes the effects of its loop.
@usableFromInline
struct EffectMarks<State, Event> {
    /// Returns a function that begins an effect, given the number of its stream among those that `transform` has returned.
    @usableFromInline let begin: (Event, State) -> (_ part: Int) -> LiveEffect

    init(begin: @escaping (Event, State) -> (_ part: Int) -> LiveEffect) { self.begin = begin }

    /// Returns a middleware that marks each stream of effects.
    @inlinable
    func marking<Effect, Environment>()
        -> @Sendable (
            State, Event, Environment, @Sendable (State, Event, Environment) throws -> Effects<Effect>
        ) throws -> Effects<Effect>
    {
        let marks = UncheckedTransfer(self)
        return { state, event, environment, next in
            let effects = try next(state, event, environment)
            if effects.isReady { return effects }
            let begin = marks.value.begin(event, state)
            var part = -1
            return effects.mapStreams { marked($0, begin, &part) }
        }
    }
}

/// A stream of effects that tells when it begins and ends. What runs while it is subscribed to has its mark.
@usableFromInline
struct MarkedEffects<Effect>: GrammaticalPublisher {
    @usableFromInline typealias Output = Effect
    @usableFromInline typealias Failure = Never
    @usableFromInline let effects: AnyPublisher<Effect, Never>
    @usableFromInline let begin: (_ part: Int) -> LiveEffect
    @usableFromInline let part: Int

    @inlinable
    init(effects: AnyPublisher<Effect, Never>, begin: @escaping (_ part: Int) -> LiveEffect, part: Int) {
        (self.effects, self.begin, self.part) = (effects, begin, part)
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        let effect = begin(part)
        effect.run {
            if let cancellation = effect.cancellation {
                effects.prefix(untilOutputFrom: cancellation)
                    .handleEvents(receiveCompletion: { _ in effect.end() }, receiveCancel: { effect.end() })
                    .receive(subscriber: subscriber)
            } else {
                effects.handleEvents(receiveCompletion: { _ in effect.end() }, receiveCancel: { effect.end() })
                    .receive(subscriber: subscriber)
            }
        }
    }
}

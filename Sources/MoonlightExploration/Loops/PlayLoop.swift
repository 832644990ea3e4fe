import Moonlight
import Streams

/// Starts the loops of plays.
///
/// It is created where the exploration is: with concrete types, the compiler can specialize the reducer and the loop, in which an
/// exploration spends most of its time.
@usableFromInline
struct PlayLoop<State: Equatable, Event, Effect, Environment> {
    /// Creates the streams of events of a loop's feedback; nil if there is none.
    @usableFromInline typealias Feedback = ((AnyPublisher<State, Never>) -> [AnyPublisher<Event, Never>])?

    @usableFromInline typealias Notes = PlayNotes<State, Event, Effect>

    /// Starts a loop whose steps are recorded.
    ///
    /// - Parameter feedback: Creates the feedback; nil if there is none.
    let start: (_ given: State, _ environment: Environment, _ notes: Notes, _ feedback: Feedback) -> Store<State, Event>
    /// Records the states of a loop from now on.
    let observe: (_ store: Store<State, Event>, _ notes: Notes) -> AnyCancellable

    @inlinable
    init(_ reducer: Reducer<State, Event, Effect, Environment>) {
        self.init(
            start: { given, environment, notes, feedback in
                let marking = reducer.middleware(notes.marks.marking()).filteringFollowUps(notes.handledAtOnce)
                return Store(
                    reducer: marking, initialState: given, environment: environment,
                    options: LoopOptions(journal: notes.journal)
                ) { states in
                    // A stream that never ends keeps the loop from ending.
                    [AnyPublisher(Empty<Event, Never>(completeImmediately: false))] + (feedback?(states) ?? [])
                }
            },
            observe: { store, notes in store.states.sink { notes.show($0) } })
    }

    @usableFromInline
    init(
        start: @escaping (State, Environment, Notes, Feedback) -> Store<State, Event>,
        observe: @escaping (Store<State, Event>, Notes) -> AnyCancellable
    ) {
        self.start = start
        self.observe = observe
    }
}

/// Returns a stream that is marked on subscription. The parts of a merge are marked one by one, since a merge has no memory.
@inlinable
func marked<Effect>(
    _ stream: AnyPublisher<Effect, Never>, _ begin: @escaping (_ part: Int) -> LiveEffect, _ part: inout Int
) -> AnyPublisher<Effect, Never> {
    if let parts = stream.mergedParts {
        var marked: [MarkedEffects<Effect>] = []
        mark(parts, begin, &part, into: &marked)
        return AnyPublisher(Publishers.MergeMany(marked))
    }
    part += 1
    return stream.isReady ? stream : AnyPublisher(MarkedEffects(effects: stream, begin: begin, part: part))
}

/// Appends the marked parts of a merge, including those of nested merges.
@inlinable
func mark<Effect>(
    _ parts: [AnyPublisher<Effect, Never>], _ begin: @escaping (_ part: Int) -> LiveEffect, _ part: inout Int,
    into marked: inout [MarkedEffects<Effect>]
) {
    marked.reserveCapacity(marked.count + parts.count)
    for stream in parts {
        if let parts = stream.mergedParts {
            mark(parts, begin, &part, into: &marked)
        } else {
            part += 1
            marked.append(MarkedEffects(effects: stream, begin: begin, part: part))
        }
    }
}

/// A factory of the marks of a loop's effects.
@usableFromInline
struct EffectMarks<State, Event> {
    /// Returns a function that begins an effect, given the number of its stream among those of `transform`.
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

/// A stream of effects that reports its beginning and its end. Code that runs during the subscription has its mark.
@usableFromInline
struct MarkedEffects<Effect>: GrammaticalPublisher {
    @usableFromInline typealias Output = Effect
    @usableFromInline typealias Failure = Never
    @usableFromInline let effects: AnyPublisher<Effect, Never>
    @usableFromInline let begin: (_ part: Int) -> LiveEffect
    @usableFromInline let part: Int

    @inlinable
    init(effects: AnyPublisher<Effect, Never>, begin: @escaping (_ part: Int) -> LiveEffect, part: Int) {
        self.effects = effects
        self.begin = begin
        self.part = part
    }

    @inlinable
    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        // A ready stream is never live.
        if case .just(let value) = effects.storage { return Just(value).receive(subscriber: subscriber) }
        if effects.isReady { return effects.receive(subscriber: subscriber) }
        let effect = begin(part)
        effect.endsWithJob = effects.endsWithJob
        effect.run {
            if let cancellation = effect.cancellation {
                noting(the: effect, in: effects.prefix(untilOutputFrom: cancellation)).receive(subscriber: subscriber)
            } else {
                noting(the: effect, in: effects).receive(subscriber: subscriber)
            }
        }
    }

    /// Returns a stream that notes the end of an effect.
    @inlinable
    func noting<Stream: Publisher<Effect, Never>>(the effect: LiveEffect, in stream: Stream) -> Publishers.HandleEvents<Stream> {
        stream.handleEvents(receiveCompletion: { _ in effect.end() }, receiveCancel: { effect.end() })
    }
}

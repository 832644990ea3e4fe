import Streams

/// What a middleware has been answered by what it is around, in the course of one event.
///
/// A middleware may put effects of its own before those of a child, and the child may leave by them. So whatever a child has
/// answered, also what lies ready, is bound to it before any of it all is applied. What the middleware passes on as it is,
/// which most do, comes first, and need not be.
///
/// What stands in the way of every event is open to be specialised where the middleware is made.
@usableFromInline
final class NextAnswers<Effect>: @unchecked Sendable {
    // Sound: all is behind the lock, and what is in it is handed on as any stream of effects is.
    @usableFromInline
    struct Answers: @unchecked Sendable {
        @usableFromInline var turn: AnswerTurn?
        var others: [AnswerTurn] = []
        /// What is given in the place of what.
        var given: [(box: AnyObject, for: AnyPublisher<Effect, Never>)] = []

        @usableFromInline init() {}

        mutating func note(_ next: AnswerTurn) { if turn == nil { turn = next } else { others.append(next) } }
    }

    @usableFromInline let answers = Lock(Answers())

    @usableFromInline
    init() {}

    /// Notes an answer.
    ///
    /// - Returns: What the middleware gets.
    @inlinable
    func add(_ effects: AnyPublisher<Effect, Never>) -> AnyPublisher<Effect, Never> {
        guard case .hidden = effects.storage else { return effects }
        guard let ready = effects.hidden(as: ReadyAnswer<Effect>.self) else { return addStreams(effects) }
        note(ready.turn)
        return effects
    }

    @usableFromInline
    func note(_ turn: AnswerTurn) { answers.withLock { $0.note(turn) } }

    @usableFromInline
    func addStreams(_ effects: AnyPublisher<Effect, Never>) -> AnyPublisher<Effect, Never> {
        var turns: [AnswerTurn] = []
        let streams = effects.bundled.map { stream in
            guard let child = stream.childEffects else { return stream }
            let turn = AnswerTurn(of: child)
            turns.append(turn)
            return AnyPublisher(ChildTurn(effects: stream) { turn.isOver })
        }
        let given = AnyPublisher.bundle(streams)
        guard !turns.isEmpty, case .hidden(let box) = given.storage else { return effects }
        let answer = UncheckedTransfer((box: box as AnyObject, for: effects))
        answers.withLock { answers in
            turns.forEach { answers.note($0) }
            answers.given.append(answer.value)
        }
        return given
    }

    /// What comes of what the middleware returns.
    @inlinable
    func bind(_ effects: AnyPublisher<Effect, Never>, isFirst: Bool) -> AnyPublisher<Effect, Never> {
        guard case .hidden = effects.storage else { return effects }
        guard let ready = effects.hidden(as: ReadyAnswer<Effect>.self) else { return bindStreams(effects) }
        return isFirst ? AnyPublisher(Just(ready.effect)) : effects
    }

    @usableFromInline
    func bindStreams(_ effects: AnyPublisher<Effect, Never>) -> AnyPublisher<Effect, Never> {
        guard case .hidden(let box) = effects.storage else { return effects }
        let answers = answers.withLock { $0 }
        if let unchanged = answers.given.first(where: { $0.box === box })?.for { return unchanged }
        guard let turn = answers.turn else { return effects }
        return AnyPublisher(AroundAnswers(effects: effects, turns: [turn] + answers.others))
    }
}

/// What a middleware has made of the answers of children, among others.
private struct AroundAnswers<Effect>: GrammaticalPublisher, ChildEffects {
    typealias Output = Effect
    typealias Failure = Never

    let effects: AnyPublisher<Effect, Never>
    let turns: [AnswerTurn]

    /// They are of several.
    var way: [ScopeStep]? { nil }

    func prepare(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {
        for turn in turns { turn.begin(in: scopes, under: node, by: way) }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if let origin = subscriber.subscriberContext as? EffectOrigin, let context = origin.context {
            prepare(in: context.scopes, under: origin.node, by: [])
        }
        effects.subscribe(subscriber)
    }
}

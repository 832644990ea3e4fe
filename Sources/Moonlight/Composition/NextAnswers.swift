import Streams

/// What a middleware has been answered by what it is around, in the course of one event.
///
/// A middleware may put effects of its own before those of a child, and the child may leave by them. So whatever a child has
/// answered, also what lies ready, is bound to it before any of it all is applied. What the middleware passes on as it is,
/// which most do, comes first, and need not be.
final class NextAnswers<Effect>: Sendable {
    private struct Answer: @unchecked Sendable {
        // Sound: behind the lock, and what is in it is handed on as any stream of effects is.
        let original: AnyPublisher<Effect, Never>
        let given: AnyObject
        let turns: [AnswerTurn]
    }

    private let answers = Lock<[Answer]>([])

    /// Notes an answer.
    ///
    /// - Returns: What the middleware gets.
    func add(_ effects: AnyPublisher<Effect, Never>) -> AnyPublisher<Effect, Never> {
        guard case .hidden = effects.storage else { return effects }
        var turns: [AnswerTurn] = []
        let streams = effects.bundled.map { stream in
            guard let child = stream.childEffects else { return stream }
            let turn = AnswerTurn(of: child)
            turns.append(turn)
            return AnyPublisher(BoundAnswer(effects: stream, turn: turn))
        }
        let given = AnyPublisher.bundle(streams)
        guard !turns.isEmpty, case .hidden(let box) = given.storage else { return effects }
        let answer = Answer(original: effects, given: box, turns: turns)
        answers.withLock { $0.append(answer) }
        return given
    }

    /// What comes of what the middleware returns.
    func bind(_ effects: AnyPublisher<Effect, Never>, isFirst: Bool) -> AnyPublisher<Effect, Never> {
        guard case .hidden(let box) = effects.storage else { return effects }
        let answers = answers.withLock { $0 }
        if let unchanged = answers.first(where: { $0.given === box })?.original {
            guard isFirst, let ready = unchanged.childEffects?.ready(Effect.self), ready.count == 1 else { return unchanged }
            return AnyPublisher(Just(ready[0]))
        }
        let turns = answers.flatMap(\.turns)
        return turns.isEmpty ? effects : AnyPublisher(AroundAnswers(effects: effects, turns: turns))
    }
}

/// Says whether the child that has answered a middleware is still there when its answer's turn comes.
private final class AnswerTurn: Sendable {
    private let child: UncheckedTransfer<any ChildEffects>
    private let stay = Lock<Stay?>(nil)

    // Sound: a description of streams of effects, which any thread may subscribe to.
    init(of child: any ChildEffects) { self.child = UncheckedTransfer(child) }

    var isOver: Bool { stay.withLock { $0 }?.isOver ?? false }

    /// From now on it is noticed if the child leaves.
    func begin(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {
        if let own = child.value.way {
            stay.withLock { stay in if stay == nil { stay = Stay(way + own, in: scopes, under: node) } }
        }
        child.value.prepare(in: scopes, under: node, by: way)
    }
}

/// What a child has answered a middleware. If it has left by what the middleware has put before that, there is nothing.
private struct BoundAnswer<Effect>: GrammaticalPublisher {
    typealias Output = Effect
    typealias Failure = Never

    let effects: AnyPublisher<Effect, Never>
    let turn: AnswerTurn

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if turn.isOver { Empty<Effect, Never>().receive(subscriber: subscriber) } else { effects.subscribe(subscriber) }
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

    func ready<Ready>(_: Ready.Type) -> [Ready]? { nil }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if let origin = subscriber.subscriberContext as? EffectOrigin, let context = origin.context {
            prepare(in: context.scopes, under: origin.node, by: [])
        }
        effects.subscribe(subscriber)
    }
}

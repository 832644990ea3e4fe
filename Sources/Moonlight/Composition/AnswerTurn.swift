import Streams

/// Says whether the child that has answered is still there when its answer's turn comes.
@usableFromInline
final class AnswerTurn: Sendable {
    private enum Origin: @unchecked Sendable {
        // Sound: what streams of effects are described by, which any thread may subscribe to.
        case children(ScopedChild, inner: [ScopedChild])
        case stream(any ChildEffects)
    }

    private let origin: Origin
    private let stay = Lock<Stay?>(nil)

    /// For what a child answers, or its child further in.
    @usableFromInline
    init(of child: ScopedChild, inner: [ScopedChild]) { origin = .children(child, inner: inner) }

    init(of stream: any ChildEffects) { origin = .stream(stream) }

    var isOver: Bool { stay.withLock { $0 }?.isOver ?? false }

    /// The children from the outermost on, if they are known one by one.
    @usableFromInline var children: [ScopedChild] {
        if case .children(let child, let inner) = origin { [child] + inner } else { [] }
    }

    var way: [ScopeStep]? {
        switch origin {
        case .children(let child, let inner): inner.reduce(child.way) { $0 + $1.way }
        case .stream(let stream): stream.way
        }
    }

    /// From now on it is noticed if the child leaves.
    func begin(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {
        if let own = self.way {
            stay.withLock { stay in if stay == nil { stay = Stay(way + own, in: scopes, under: node) } }
        }
        if case .stream(let stream) = origin { stream.prepare(in: scopes, under: node, by: way) }
    }
}

/// An effect of a child that lies ready, but not as the first of its event.
@usableFromInline
struct ReadyAnswer<Effect>: GrammaticalPublisher, ChildEffects {
    @usableFromInline typealias Output = Effect
    @usableFromInline typealias Failure = Never

    @usableFromInline let effect: Effect
    @usableFromInline let turn: AnswerTurn

    @inlinable
    init(effect: Effect, turn: AnswerTurn) { (self.effect, self.turn) = (effect, turn) }

    var way: [ScopeStep]? { turn.way }

    func prepare(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {}

    @usableFromInline
    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if turn.isOver { return Empty<Effect, Never>().receive(subscriber: subscriber) }
        turn.children.reversed()
            .reduce(AnyPublisher(Just(effect))) { effects, child in
                AnyPublisher(ScopedEffects(upstream: effects, child: child, embed: { $0 }))
            }
            .subscribe(subscriber)
    }
}

import Streams
import Synchronization

/// Effects of a child that wait for their turn while others of the same event are applied. If the child leaves meanwhile,
/// there are none.
struct ChildTurn<Effect>: GrammaticalPublisher {
    typealias Output = Effect
    typealias Failure = Never

    let effects: AnyPublisher<Effect, Never>
    /// Whether the child has left.
    let isOver: () -> Bool

    func receive<S: Subscriber>(subscriber: S) where S.Input == Effect, S.Failure == Never {
        if isOver() { Empty<Effect, Never>().receive(subscriber: subscriber) } else { effects.subscribe(subscriber) }
    }
}

/// Says whether a child has left since this was made.
final class Stay: ScopedStream, @unchecked Sendable {
    // Sound: the flag is atomic, the node is written before anybody else knows of this object.
    private let scopes: ScopeTree
    private let left = Atomic<Bool>(false)
    private var node: ScopeNode?

    init(_ way: [ScopeStep], in scopes: ScopeTree, under parent: ScopeNode) {
        self.scopes = scopes
        node = scopes.add(self, by: way, under: parent)
    }

    deinit { if let node { scopes.remove(ObjectIdentifier(self), from: node) } }

    var isOver: Bool { left.load(ordering: .relaxed) }

    func childHasLeft() { left.store(true, ordering: .relaxed) }
}

/// A publisher of a child's effects.
protocol ChildEffects {
    /// The way from the scope that it is subscribed to in to the child, or to its child whose effects they really are; nil if
    /// they are of several.
    var way: [ScopeStep]? { get }

    /// Sees to it that children further down are known before others' effects are applied.
    ///
    /// - Parameter way: The way from the node to the scope that it is subscribed to in.
    func prepare(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep])
}

extension HiddenPublisherOf: ChildEffects where P: ChildEffects {
    var way: [ScopeStep]? { base?.way }
    func prepare(in scopes: ScopeTree, under node: ScopeNode, by way: [ScopeStep]) {
        base?.prepare(in: scopes, under: node, by: way)
    }
}

extension AnyPublisher where Failure == Never {
    /// The way to the child whose effects these are; nil if they are of none, as far as can be told.
    var way: [ScopeStep]? { childEffects?.way }

    /// The same, as a child's, if they are.
    var childEffects: (any ChildEffects)? { if case .hidden(let box) = storage { box as? any ChildEffects } else { nil } }
}

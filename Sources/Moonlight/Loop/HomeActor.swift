import Streams

/// What takes its turn on an actor.
@usableFromInline
protocol ActorTurn: AnyObject, Sendable {
    func takeTurn()
}

/// The actor on which a loop must run, because its environment may not leave it.
///
/// Who becomes the owner of the loop's mailbox elsewhere hands it over to a task on the actor.
@usableFromInline
final class HomeActor: Sendable {
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool

    @inlinable
    init(_ actor: any Actor) {
        self.actor = actor
        isMain = actor === MainActor.shared
    }

    /// Whether the caller is certainly on the actor; see `IsolatedDelivery` on what can be known.
    @inlinable
    var isHere: Bool { isMain && MainQueue.isCurrent }

    /// Puts something into the actor's line, to take its turn there.
    @usableFromInline
    func enqueue(_ turn: any ActorTurn) { actor.enqueue { turn.takeTurn() } }
}

import Streams

/// An object that takes its turn on an actor.
@usableFromInline
protocol ActorTurn: AnyObject, Sendable {
    func takeTurn()
}

/// The actor to which a loop is isolated, because its environment must not leave it.
///
/// A thread elsewhere that becomes the owner of the loop's mailbox hands it over to a task on the actor.
@usableFromInline
final class HomeActor: Sendable {
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool

    @inlinable
    init(_ actor: any Actor) {
        self.actor = actor
        isMain = actor === MainActor.shared
    }

    /// Whether the caller certainly runs on the actor. Only the main actor can be recognized; see `IsolatedDelivery`.
    @inlinable
    var isHere: Bool { isMain && MainQueue.isCurrent }

    /// Enqueues an object on the actor, to take its turn there.
    @usableFromInline
    func enqueue(_ turn: any ActorTurn) { actor.enqueue { turn.takeTurn() } }
}

import Streams
import Synchronization

/// What takes its turn on an actor.
@usableFromInline
protocol Visitor: AnyObject, Sendable {
    func takeTurn()
}

/// The actor on which a loop must run, because its environment may not leave it.
///
/// Who becomes the owner of the loop's mailbox elsewhere parks the ownership and sends for it: a task on the actor claims
/// it, or whoever passes by on the actor first.
@usableFromInline
final class Home: Sendable {
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool
    @usableFromInline let isParked = Atomic<Bool>(false)

    @inlinable
    init(_ actor: any Actor) {
        self.actor = actor
        isMain = actor === MainActor.shared
    }

    /// Whether the caller is certainly on the actor; see `IsolatedDelivery` on what can be known.
    @inlinable
    var isHere: Bool { isMain && MainQueue.isCurrent }

    /// Takes parked ownership. The caller is on the actor.
    @inlinable
    func claim() -> Bool { isParked.exchange(false, ordering: .acquiringAndReleasing) }

    /// Parks the caller's ownership and lets the visitor take its turn on the actor.
    @usableFromInline
    func visit(_ visitor: any Visitor) {
        isParked.store(true, ordering: .releasing)
        actor.enqueue { [self] in if claim() { visitor.takeTurn() } }
    }
}

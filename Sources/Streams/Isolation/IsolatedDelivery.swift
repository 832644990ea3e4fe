import Synchronization

/// Runs a closure that was formed on an actor, on that actor and nowhere else.
///
/// An item that arrives on the actor is handled at once; one that arrives elsewhere waits in a ``Mailbox`` whose heir is a task on the
/// actor. Order is kept: whatever waits comes first. The task handles what waits for the length of a time slice, and then gives the
/// actor its turn back.
///
/// On Linux nobody tells whether the caller runs on a given actor: `isIsolatingCurrentContext()` answers nil, `asSerialExecutor()`
/// crashes. But who runs on the main queue runs on the main actor, and who runs in the task that is inside ``during(_:)`` is in that
/// call.
@usableFromInline package final class IsolatedDelivery<Item>: @unchecked Sendable {
    // Sound: `batch` belongs to the owner of the mailbox, and `handle` is called on the actor only; the rest guards itself.
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool
    @usableFromInline let handle: (Item) -> Void
    @usableFromInline let mailbox = Mailbox<Item>()
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    /// The task that is inside `during(_:)`, and cannot end while it is.
    @usableFromInline let caller = Lock(UncheckedBox(UnsafeCurrentTask?.none))

    @inlinable package init(on actor: any Actor, handle: @escaping (Item) -> Void) {
        self.actor = actor
        isMain = actor === MainActor.shared
        self.handle = handle
    }

    /// Makes a call on the actor. Items that arrive inside it, in the same task, are handled at once.
    @inlinable package func during(_ call: () -> Void) {
        withUnsafeCurrentTask { task in caller.withLock { $0.value = task } }
        call()
        caller.withLock { $0.value = nil }
    }

    /// Handles an item on the actor: now if this is the actor and nothing waits, else soon.
    @inlinable package func deliver(_ item: Item) {
        let isHere = isOnActor
        if isHere, mailbox.enter() {
            handle(item)
            if !mailbox.leave() { work(.own) }
        } else if mailbox.post(item) {
            if isHere { work(.own) } else { handOver() }
        } else if !isHere {
            // Not on the actor: what waits there waits for this very thread.
            mailbox.holdUp()
        }
    }

    @usableFromInline var isOnActor: Bool {
        if isMain, MainQueue.isCurrent { return true }
        return withUnsafeCurrentTask { task in task != nil && caller.withLock { $0.value == task } }
    }

    /// On the actor only.
    @inlinable func work(_ turn: Mailbox<Item>.Turn) { if !mailbox.work(turn, &batch, { handle($0) }) { handOver() } }

    @inlinable func handOver() {
        mailbox.bequeath()
        actor.enqueue { [self] in work(mailbox.inherit()) }
    }
}

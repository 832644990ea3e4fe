import Synchronization

/// Runs a closure that was formed on an actor, on that actor and nowhere else. An item that arrives on the actor is handled at
/// once; one that arrives elsewhere waits until a task on the actor takes it. Order is kept: whatever waits comes first. On Linux
/// nobody tells whether the caller runs on a given actor: `isIsolatingCurrentContext()` answers nil, `asSerialExecutor()` crashes.
/// But who runs on the main queue runs on the main actor, and who runs in the task that is inside ``during(_:)`` is in that call.
@usableFromInline package final class IsolatedDelivery<Item>: @unchecked Sendable {
    // Sound: `guarded` is behind its lock; `handle` and `isRunning` are only touched on the actor.
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool
    @usableFromInline let handle: (Item) -> Void
    @usableFromInline let guarded = Lock(Guarded())
    @exclusivity(unchecked) @usableFromInline var isRunning = false
    @usableFromInline struct Guarded: @unchecked Sendable {
        // Sound: behind the lock.
        @usableFromInline var waiting: [Item] = []
        /// Whether a task is on its way for what waits now.
        @usableFromInline var isScheduled = false
        /// The task that is inside `during(_:)`. It cannot end while it is.
        @usableFromInline var task: UnsafeCurrentTask?
        @inlinable init() {}
    }
    @inlinable package init(on actor: any Actor, handle: @escaping (Item) -> Void) {
        self.actor = actor
        isMain = actor === MainActor.shared
        self.handle = handle
    }
    /// Makes a call on the actor. Items that arrive inside it, in the same task, are handled at once.
    @inlinable package func during(_ call: () -> Void) {
        withUnsafeCurrentTask { task in guarded.withLock { $0.task = task } }
        call()
        guarded.withLock { $0.task = nil }
    }
    /// Handles an item on the actor: now if this is the actor, else soon.
    @inlinable package func deliver(_ item: Item) {
        let isHere = isOnActor
        let isToBeScheduled = guarded.withLock { guarded in
            guarded.waiting.append(item)
            guard !isHere, !guarded.isScheduled else { return false }
            guarded.isScheduled = true
            return true
        }
        if isHere { handleWaiting() } else if isToBeScheduled { actor.enqueue { [self] in handleWaiting() } }
    }
    @usableFromInline var isOnActor: Bool {
        if isMain, MainQueue.isCurrent { return true }
        return withUnsafeCurrentTask { task in task != nil && guarded.withLock { $0.task == task } }
    }
    /// Handles what waits. On the actor only; from inside itself it leaves the work to the outer call.
    @inlinable func handleWaiting() {
        if isRunning { return }
        isRunning = true
        while true {
            let items = guarded.withLock { guarded in
                defer { (guarded.waiting, guarded.isScheduled) = ([], false) }
                return UncheckedTransfer(guarded.waiting)
            }.value
            if items.isEmpty { break }
            for item in items { handle(item) }
        }
        isRunning = false
    }
}

import Synchronization

/// Runs a closure that was formed on an actor, on that actor and nowhere else. An item that arrives on the actor is handled at
/// once; one that arrives elsewhere waits until a task on the actor takes it. Order is kept: whatever waits comes first. On Linux
/// nobody tells whether the caller runs on a given actor: `isIsolatingCurrentContext()` answers nil, `asSerialExecutor()` crashes.
/// But who runs on the main queue runs on the main actor, and who runs in the task that is inside ``during(_:)`` is in that call.
@usableFromInline package final class IsolatedDelivery<Item>: @unchecked Sendable {
    // Sound: `waiting` is only touched with `guarded` locked; `handle` and `isRunning` on the actor.
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool
    @usableFromInline let handle: (Item) -> Void
    /// Whether a task is on its way for what waits now; the task that is inside `during(_:)`, and cannot end while it is.
    @usableFromInline let guarded = Lock((isScheduled: false, task: UnsafeCurrentTask?.none))
    @exclusivity(unchecked) @usableFromInline var waiting: [Item] = []
    @exclusivity(unchecked) @usableFromInline var isRunning = false
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
        // With nothing before it in line it need not stand there.
        if isHere, !isRunning, guarded.withLock({ _ in waiting.isEmpty }) { return handleWaiting(after: item) }
        let isToBeScheduled = guarded.withLock { guarded in
            waiting.append(item)
            defer { if !isHere { guarded.isScheduled = true } }
            return !isHere && !guarded.isScheduled
        }
        if isHere { handleWaiting() } else if isToBeScheduled { actor.enqueue { [self] in handleWaiting() } }
    }
    @usableFromInline var isOnActor: Bool {
        if isMain, MainQueue.isCurrent { return true }
        return withUnsafeCurrentTask { task in task != nil && guarded.withLock { $0.task == task } }
    }
    /// Handles what waits. On the actor only; from inside itself, where there must be no `first`, it leaves that to the outer call.
    @inlinable func handleWaiting(after first: Item? = nil) {
        if isRunning { return }
        isRunning = true
        if let first { handle(first) }
        while true {
            let items = guarded.withLock { guarded in
                defer { (waiting, guarded.isScheduled) = ([], false) }
                return UncheckedTransfer(waiting)
            }.value
            if items.isEmpty { break }
            for item in items { handle(item) }
        }
        isRunning = false
    }
}

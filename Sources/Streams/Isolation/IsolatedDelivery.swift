import Synchronization

/// Delivers items to a closure that was formed on an actor, always on that actor.
///
/// An item that arrives on the actor is handled at once; any other waits in a ``Mailbox`` whose handover job is a task on the
/// actor. The order is kept: waiting items are handled first. The task handles items for one ``TimeSlice``, then lets the actor
/// run other work.
///
/// On Linux, code cannot determine whether it runs on a given actor: `isIsolatingCurrentContext()` returns nil, and
/// `asSerialExecutor()` crashes. But code on the main queue runs on the main actor, and code in the task that is inside
/// ``during(_:)`` runs in that call.
///
/// The closure is also released on the actor, with its captured values, even if another thread drops the last reference to this
/// object.
@usableFromInline package final class IsolatedDelivery<Item>: @unchecked Sendable {
    // Sound: only the owner of the mailbox uses `batch`, and `handler` is used only on the actor, or by `deinit`; the rest is
    // thread-safe.
    @usableFromInline let actor: any Actor
    @usableFromInline let isMain: Bool
    /// The inlet of the sink, in which nothing more arrives once it has ended.
    @usableFromInline let inlet: Inlet
    /// The closure; nil once it has been released.
    @exclusivity(unchecked) @usableFromInline var handler: Handler?
    @usableFromInline let mailbox = Mailbox<Item>()
    @exclusivity(unchecked) @usableFromInline var batch: [Item] = []
    /// The task that is inside ``during(_:)``, and so cannot end in the meantime; nil if there is none.
    @usableFromInline let caller = Lock(UncheckedBox(UnsafeCurrentTask?.none))

    /// A closure, in a noncopyable value that a call borrows; see ``Borrowed``. Its type is not generic, because a closure in a
    /// generic value needs an allocation.
    @usableFromInline struct Handler: ~Copyable {
        @usableFromInline let handle: (Item) -> Void

        @inlinable init(_ handle: @escaping (Item) -> Void) { self.handle = handle }
    }

    @inlinable package init(on actor: any Actor, until inlet: Inlet, handle: @escaping (Item) -> Void) {
        self.actor = actor
        isMain = actor === MainActor.shared
        self.inlet = inlet
        handler = Handler(handle)
    }

    deinit { if !isOnActor { ActorRelease(takeHandle()).run(on: actor) } }

    /// Returns the closure, without keeping a reference to it.
    @inline(never) private func takeHandle() -> ((Item) -> Void)? {
        guard let handler = handler.take() else { return nil }
        return handler.handle
    }

    /// Runs a closure, during which items that arrive in the same task are handled at once. Call it on the actor.
    @inlinable package func during(_ call: () -> Void) {
        withUnsafeCurrentTask { task in caller.withLock { $0.value = task } }
        call()
        caller.withLock { $0.value = nil }
        letGoIfOver()
    }

    /// Releases the closure if nothing more can arrive. Call it on the actor, and not from inside the closure.
    @usableFromInline func letGoIfOver() { if inlet.isEnded { handler = nil } }

    /// Handles an item on the actor: now if the caller is on the actor and the mailbox is idle, else later.
    @inlinable package func deliver(_ item: Item) {
        let isHere = isOnActor
        if isHere, mailbox.enter() {
            handle(item)
            if !mailbox.leave() { work(within: nil) }
        } else if mailbox.post(item) {
            if isHere { work(within: nil) } else { handOver() }
        }
    }

    @inlinable func handle(_ item: Item) { handler.borrow { $0.handle(item) } }

    @usableFromInline var isOnActor: Bool {
        if isMain, MainQueue.isCurrent { return true }
        return withUnsafeCurrentTask { task in task != nil && caller.withLock { $0.value == task } }
    }

    /// Handles items as the owner. Call it only on the actor.
    @inlinable func work(within slice: TimeSlice?) {
        if !mailbox.work(within: slice, &batch, { handle($0) }) { handOver() }
    }

    @inlinable func handOver() {
        actor.enqueue { [self] in
            work(within: TimeSlice())
            letGoIfOver()
        }
    }
}

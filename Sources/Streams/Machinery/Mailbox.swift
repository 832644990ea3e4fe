import Dispatch
import Synchronization

/// Serializes calls from many threads, and calls from inside other calls, without holding a lock while they run.
///
/// A thread that finds the mailbox idle becomes its *owner* and may touch the state that the mailbox guards, and call user code.
/// A thread that finds it owned posts an *item* for the owner and returns. So calls never nest, no call waits for another to
/// return, and all items are handled in one order. Subjects, operators with several upstreams, sinks on an actor and Moonlight's
/// loop are built on it.
///
/// **A thread handles only its own items.** An owner handles the item that it came with, then the items that its own thread posts
/// from inside. At the first item of another thread it stops: the remaining items and the ownership go to a *handover job*, which
/// belongs to no sender and runs detached, or on the actor that the items are isolated to. So no thread is kept busy by
/// other senders, and no item is handled in another sender's context (task-locals, priority, cancellation). A handover job
/// handles the items of all threads for one ``TimeSlice``, then leaves the rest to the next one.
///
/// The owner leaves by swapping `owned` for `idle`, which fails if an item was posted since it last collected:
///
///     thread A (owner)               thread B                      handover job
///     ----------------               --------                      ------------
///     handle its own item
///                                    lock; append item; unlock
///     leave: owned -> idle fails
///     collect: the item is B's
///     hand over, and return
///                                    lock; append item; unlock
///                                                                  handle B's first item
///                                                                  leave: fails; collect
///                                                                  handle B's second item
///                                                                  leave: owned -> idle
///
/// or A leaves before B takes the lock: then B's post swaps `idle` for `owned`, and B becomes the owner with its own item. There is
/// no third case: whenever the lock is free and there is an item in the inbox, there is an owner, or a scheduled handover job.
///
/// A sender is identified by its thread alone. That suffices: an idle mailbox is empty, so every item was posted after the owner
/// became the owner, and the items that the owner's thread has posted since then were posted from inside.
@usableFromInline package struct Mailbox<Item>: ~Copyable {
    @usableFromInline let inbox: Lock<Inbox>
    // The smallest comes last, so that the next property after a mailbox can share its word.
    @usableFromInline let gate: Atomic<UInt8>

    @usableFromInline enum Gate {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var owned: UInt8 { 1 }
        @inlinable static var ownedWithMail: UInt8 { 2 }
    }

    /// The items that were posted since the owner last collected.
    @usableFromInline struct Inbox: @unchecked Sendable {
        // Sound: only used with the lock held.
        @usableFromInline var items: [Item]
        /// The thread that posted the first item.
        @usableFromInline var firstSender: UInt
        /// The number of items that the first sender posted before another thread posted one.
        @usableFromInline var firstSendersShare: UInt32
        /// True once ``Mailbox/close(if:)`` has succeeded.
        @usableFromInline var isClosed: Bool

        // Not as initial values of the properties, which would not be specialized.
        @inlinable init() {
            (items, firstSender, firstSendersShare) = ([], 0, 0)
            isClosed = false
        }

        @inlinable mutating func append(_ item: Item, from sender: UInt) {
            if items.isEmpty { (firstSender, firstSendersShare) = (sender, 0) }
            if firstSender == sender, Int(firstSendersShare) == items.count { firstSendersShare &+= 1 }
            items.append(item)
        }

        /// The number of items at the front that a thread has posted, up to the first item of another thread.
        @inlinable func share(of thread: UInt) -> Int { firstSender == thread ? Int(firstSendersShare) : 0 }
    }

    @inlinable package init() {
        gate = Atomic(Gate.idle)
        inbox = Lock(Inbox())
    }

    /// Becomes the owner if the mailbox is idle; returns whether it was. The owner must finally call ``leave()`` or hand over.
    @inlinable @inline(__always) package borrowing func enter() -> Bool {
        gate.compareExchange(expected: Gate.idle, desired: Gate.owned, ordering: .acquiring).exchanged
    }

    /// Posts an item for the owner. If 4,096 items are waiting, yields the thread once, so that memory does not grow as fast as a
    /// thread can send.
    ///
    /// - Parameter item: The item, which goes behind those already posted.
    /// - Parameter isForHandover: Whether only a handover job may handle the item, because it stands for what other threads have sent.
    /// - Returns: Whether the caller has become the owner, and so must handle the items.
    @inlinable package borrowing func post(_ item: Item, forHandover isForHandover: Bool = false) -> Bool {
        let access = append(item, forHandover: isForHandover)
        if access == .full { yieldThread() }
        return access == .owner
    }

    /// Posts an item as ``post(_:forHandover:)`` does, but does not yield, so that it can be called with a lock held.
    ///
    /// - Parameter needsOpen: Whether the item is not posted if the mailbox was closed.
    @inlinable package borrowing func append(
        _ item: Item, forHandover isForHandover: Bool = false, ifOpen needsOpen: Bool = false
    ) -> Access {
        let sender = isForHandover ? 0 : currentThread()
        return inbox.withLock { inbox in
            if needsOpen, inbox.isClosed { return .closed }
            inbox.append(item, from: sender)
            if raise() { return .owner }
            return inbox.items.count < 4096 ? .posted : .full
        }
    }

    /// The result of posting an item or of entering the mailbox.
    @usableFromInline package enum Access: Sendable {
        /// The thread has entered the idle mailbox without an item, and is the owner.
        case entered
        /// The thread has posted an item and become the owner, and so must handle the items.
        case owner
        /// The thread has posted an item, which waits for the owner.
        case posted
        /// The thread has posted an item after thousands of others: it should yield.
        case full
        /// The mailbox was closed, and the item needs an open one.
        case closed
    }

    /// Marks that there are items; returns whether the caller has become the owner. Call it with the lock held.
    @inlinable borrowing func raise() -> Bool {
        if enter() { return true }
        while true {
            let (exchanged, seen) = gate.compareExchange(
                expected: Gate.owned, desired: Gate.ownedWithMail, ordering: .acquiringAndReleasing)
            if exchanged || seen == Gate.ownedWithMail { return false }
            if enter() { return true }
        }
    }

    /// Closes the mailbox to items that need an open one, unless an item waits. So each such item either was posted before, and
    /// keeps the mailbox open, or is refused. Only the owner calls this.
    ///
    /// - Parameter isDone: Called with the lock held, if no item waits: whether to close the mailbox.
    /// - Returns: Whether the mailbox was closed.
    @inlinable package borrowing func close(if isDone: () -> Bool) -> Bool {
        inbox.withLock { inbox in
            guard inbox.items.isEmpty, isDone() else { return false }
            inbox.isClosed = true
            return true
        }
    }

    /// True if the mailbox was closed.
    @inlinable package var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// Gives up ownership and returns true, unless there are items: then the caller remains the owner and must handle them.
    @inlinable @inline(__always) package borrowing func leave() -> Bool {
        gate.compareExchange(expected: Gate.owned, desired: Gate.idle, ordering: .releasing).exchanged
    }

    /// True if there is no owner, and so no items either. Any thread may read it.
    @inlinable @inline(__always) package var isIdle: Bool { gate.load(ordering: .acquiring) == Gate.idle }

    /// True if an item was posted since the owner last collected. Only the owner may read it.
    @inlinable @inline(__always) package var hasMail: Bool {
        gate.load(ordering: .acquiring) == Gate.ownedWithMail
    }

    /// Moves all items out of the inbox into the owner's array, in reverse order, so that the first item is popped first. The two
    /// arrays are swapped, so that their memory is reused.
    ///
    /// - Parameter batch: The owner's array. It should be empty.
    /// - Returns: The number of items at the front that this thread has posted.
    @inlinable package borrowing func collect(into batch: inout [Item]) -> Int {
        let thread = currentThread()
        let share = inbox.withLock { inbox in
            gate.store(Gate.owned, ordering: .relaxed)
            swap(&inbox.items, &batch)
            return inbox.share(of: thread)
        }
        batch.reverse()
        return share
    }
}

// The handling of items by an owner.
extension Mailbox {
    /// Handles items until none is left, then leaves.
    ///
    /// - Parameters:
    ///   - slice: The time slice of a handover job, which handles the items of all threads; nil for an owner that handles those of its
    ///     own thread, without a time limit.
    ///   - batch: The owner's array of collected items, used for nothing else. The remaining items are for the handover job.
    ///   - isOwn: Whether an item that this thread has posted is still its own to handle.
    ///   - handle: Handles one item.
    /// - Returns: False if the caller is still the owner and must hand over the rest.
    @inlinable @inline(__always)
    package borrowing func work(
        within slice: TimeSlice?, _ batch: inout [Item], isOwn: (Item) -> Bool = { _ in true }, _ handle: (Item) -> Void
    ) -> Bool {
        var slice = slice
        repeat {
            guard handleMail(within: &slice, &batch, isOwn: isOwn, handle) else { return false }
        } while !leave()
        return true
    }

    /// Collects once and handles the items that the caller may handle. The parameters are those of ``work(within:_:isOwn:_:)``.
    ///
    /// A handover job that finds items of the previous owner in the batch handles these instead of collecting.
    ///
    /// - Returns: False if the caller must hand over the rest.
    @inlinable @inline(__always)
    package borrowing func handleMail(
        within slice: inout TimeSlice?, _ batch: inout [Item], isOwn: (Item) -> Bool = { _ in true }, _ handle: (Item) -> Void
    ) -> Bool {
        let isHandover = slice != nil
        var share = batch.count
        if batch.isEmpty || !isHandover {
            let own = collect(into: &batch)
            share = isHandover ? batch.count : own
        }
        while share > 0, let item = batch.popLast() {
            if !isHandover, !isOwn(item) {
                batch.append(item)
                return false
            }
            handle(item)
            share -= 1
            if slice?.isOver() == true { return false }
        }
        guard batch.isEmpty else { return false }
        // Releases the memory of a burst.
        if batch.capacity * MemoryLayout<Item>.stride > 2048 { batch = [] }
        return true
    }
}

/// Runs a closure that belongs to no sender, soon, on a thread that has neither task-locals nor a current task.
///
/// It uses a dispatch queue and not Swift's task pool: the pool has only as many threads as there are cores, and programs block them.
///
/// - Parameter work: The closure. It need not be `Sendable`: from this call on, only the closure uses its captured values.
@usableFromInline package func runDetached(_ work: @escaping () -> Void) {
    let transfer = UncheckedTransfer(work)
    #if DEBUG || SCHEDULES || TESTING
        detachedWork.enter()
        let work = { @Sendable in
            transfer.value()
            detachedWork.leave()
        }
    #else
        let work = { @Sendable in transfer.value() }
    #endif
    #if SCHEDULES
        if let director = SwitchPoint.director, director.start(work) { return }
    #endif
    #if canImport(Darwin)
        // Detached, as the block would otherwise inherit the priority of the thread that hands over.
        DispatchQueue.global().async(flags: .detached, execute: work)
    #else
        DispatchQueue.global().async(execute: work)
    #endif
}

#if DEBUG || SCHEDULES || TESTING
    private let detachedWork = DispatchGroup()

    /// Waits until all detached work of the process has ended. Only in builds that are tested.
    package func waitForDetachedWork() { detachedWork.wait() }
#endif

/// The time that a handover job works before it lets others run: one millisecond.
@usableFromInline package struct TimeSlice {
    #if SCHEDULES
        private var left = 2

        @usableFromInline package init() {}

        /// Counts one piece of work; returns whether it was the last of this slice, which has two.
        @usableFromInline package mutating func isOver() -> Bool {
            left -= 1
            return left == 0
        }
    #else
        private let end: UInt64

        @usableFromInline package init() { self.init(now: DispatchTime.now().uptimeNanoseconds) }

        init(now: UInt64) { end = now + Self.length }

        /// The length of a slice, in nanoseconds.
        static var length: UInt64 { 1_000_000 }

        /// Returns whether the slice is over. Called after each piece of work.
        @usableFromInline package mutating func isOver() -> Bool { DispatchTime.now().uptimeNanoseconds >= end }
    #endif
}

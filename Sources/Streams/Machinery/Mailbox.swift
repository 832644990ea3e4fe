import Synchronization

/// Serializes calls from many threads, and calls from inside other calls, without holding a lock while they run.
///
/// A thread that finds the mailbox idle becomes its *owner* and may touch the state that the mailbox guards, and call user code.
/// A thread that finds it owned posts an *item* for the owner and returns. So calls never nest, no call waits for another to
/// return, and all items are handled in one order. Subjects, operators with several upstreams, sinks on an actor and Moonlight's
/// loop are built on it.
///
/// **A thread handles only its own items.** An owner handles the item that it came with, then the items that its own thread posts
/// from inside. At the first item of another thread it stops: the remaining items and the ownership go to an *heir*, a job that
/// belongs to no sender and runs by ``Handover``, or on the actor that the items are isolated to. So no thread is kept busy by
/// what others send, and no item is handled in another sender's context (task-locals, priority, cancellation). An heir handles
/// the items of all threads for one ``TimeSlice``, then leaves the rest to the next heir.
///
/// The owner leaves by swapping `owned` for `idle`, which fails if an item was posted since it last collected:
///
///     thread A (owner)               thread B                      heir
///     ----------------               --------                      ----
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
/// or A leaves before B takes the lock: then B's post swaps `idle` for `owned`, and B becomes the owner with an item of its own.
/// There is no third case: whenever the lock is free and there is an item in the inbox, there is an owner, or an heir on its way.
///
/// A sender is identified by its thread alone. That is enough: an idle mailbox is empty, so every item was posted after the owner
/// became the owner, and what the owner's thread has posted since then was posted from inside.
@usableFromInline package struct Mailbox<Item>: ~Copyable {
    /// The heir's thread; 1 if an heir is on its way; 0 if there is none.
    @usableFromInline let heir: Atomic<UInt>
    @usableFromInline let inbox: Lock<Inbox>
    // The smallest comes last, so that what follows a mailbox in memory can share its word.
    @usableFromInline let gate: Atomic<UInt8>

    @usableFromInline enum Gate {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var owned: UInt8 { 1 }
        @inlinable static var ownedWithMail: UInt8 { 3 }

        /// Set in addition to `ownedWithMail` while the inbox is full, so that senders are slowed down; see ``Mailbox/holdUp()``.
        @inlinable static var full: UInt8 { 4 }
    }

    /// The items that were posted since the owner last collected.
    @usableFromInline struct Inbox: @unchecked Sendable {
        // Sound: only used with the lock held.
        @usableFromInline var items: [Item]
        /// The thread that posted the first item.
        @usableFromInline var firstSender: UInt
        /// The number of items that each thread has posted while the inbox was full.
        @usableFromInline var makers: [(thread: UInt, count: Int)]
        /// The number of items that the first sender posted before another thread posted one.
        @usableFromInline var firstSendersShare: UInt32

        // Not as initial values of the properties, which would not be specialized.
        @inlinable init() { (items, firstSender, makers, firstSendersShare) = ([], 0, [], 0) }

        @inlinable mutating func append(_ item: Item, from sender: UInt) {
            if items.isEmpty { (firstSender, firstSendersShare) = (sender, 0) }
            if firstSender == sender, Int(firstSendersShare) == items.count { firstSendersShare &+= 1 }
            items.append(item)
            if isFull { count(sender) }
        }

        /// The number of items at the front that a thread has posted, up to the first item of another thread.
        @inlinable func share(of thread: UInt) -> Int { firstSender == thread ? Int(firstSendersShare) : 0 }

        /// Whether 4096 items or more are in the inbox.
        @inlinable var isFull: Bool { items.count >= 4096 }

        @usableFromInline mutating func count(_ sender: UInt) {
            if let place = makers.firstIndex(where: { $0.thread == sender }) {
                makers[place].count += 1
            } else {
                makers.append((sender, 1))
            }
        }

        /// The number of items that a thread has posted while the inbox was full; nil if it is at most 64, or below the average
        /// of all such threads.
        @usableFromInline func debt(of thread: UInt) -> Int? {
            guard let count = makers.first(where: { $0.thread == thread })?.count, count > 64 else { return nil }
            return count * makers.count >= makers.reduce(0) { $0 + $1.count } ? count : nil
        }
    }

    @inlinable package init() {
        gate = Atomic(Gate.idle)
        inbox = Lock(Inbox())
        heir = Atomic(0)
    }

    /// Becomes the owner if the mailbox is idle; returns whether it was. The owner must finally call ``leave()`` or hand over.
    @inlinable @inline(__always) package borrowing func enter() -> Bool {
        gate.compareExchange(expected: Gate.idle, desired: Gate.owned, ordering: .acquiring).exchanged
    }

    /// Posts an item for the owner.
    ///
    /// - Parameter item: The item, which goes behind those already posted.
    /// - Parameter isForHeir: Whether only an heir may handle the item, because it stands for what other threads have sent.
    /// - Returns: Whether the caller has become the owner, and so must handle the items.
    @inlinable package borrowing func post(_ item: Item, forHeir isForHeir: Bool = false) -> Bool {
        let sender = isForHeir ? 0 : currentThread()
        return inbox.withLock { inbox in
            inbox.append(item, from: sender)
            let isOwner = raise()
            if inbox.isFull { gate.bitwiseOr(Gate.full, ordering: .relaxed) }
            return isOwner
        }
    }

    /// Marks that there are items; returns whether the caller has become the owner. Call it with the lock held.
    @inlinable borrowing func raise() -> Bool {
        if enter() { return true }
        while true {
            let (exchanged, seen) = gate.compareExchange(
                expected: Gate.owned, desired: Gate.ownedWithMail, ordering: .acquiringAndReleasing)
            if exchanged || seen & Gate.ownedWithMail == Gate.ownedWithMail { return false }
            if enter() { return true }
        }
    }

    /// Gives up ownership and returns true, unless there are items: then the caller remains the owner and must handle them.
    @inlinable @inline(__always) package borrowing func leave() -> Bool {
        gate.compareExchange(expected: Gate.owned, desired: Gate.idle, ordering: .releasing).exchanged
    }

    /// Whether there is no owner, and so no items either. Any thread may read it.
    @inlinable @inline(__always) package var isIdle: Bool { gate.load(ordering: .acquiring) == Gate.idle }

    /// Whether an item was posted since the owner last collected. Only the owner may read it.
    @inlinable @inline(__always) package var hasMail: Bool {
        gate.load(ordering: .acquiring) & Gate.ownedWithMail == Gate.ownedWithMail
    }

    /// Moves all items out of the inbox into the owner's array, in reverse order, so that the first item is popped first. The two
    /// arrays are swapped, so that their memory is reused.
    ///
    /// - Parameter batch: The owner's array. It should be empty.
    /// - Parameter turn: Whether the items of all threads are handled, or only those of the caller's thread.
    /// - Returns: The number of items that this turn may handle: all in an heir's turn, else those at the front that this thread
    ///   has posted.
    @inlinable package borrowing func collect(into batch: inout [Item], as turn: Turn) -> Int {
        let thread = currentThread()
        let share = inbox.withLock { inbox in
            gate.store(Gate.owned, ordering: .relaxed)
            swap(&inbox.items, &batch)
            if !inbox.makers.isEmpty { inbox.makers = [] }
            return inbox.share(of: thread)
        }
        batch.reverse()
        return turn.isHeirs ? batch.count : share
    }
}

// How an owner handles items.
extension Mailbox {
    /// Whose items an owner handles, and for how long.
    @usableFromInline package struct Turn {
        @usableFromInline var slice: TimeSlice?
        @inlinable init(slice: TimeSlice?) { self.slice = slice }

        /// The items of the owner's own thread, without a time limit.
        @inlinable package static var own: Turn { Turn(slice: nil) }

        @inlinable package var isHeirs: Bool { slice != nil }
    }

    /// Handles items until none is left, then leaves.
    ///
    /// - Parameters:
    ///   - turn: Whose items are handled, and for how long.
    ///   - batch: The owner's array of collected items, used for nothing else. What remains in it is for the heir.
    ///   - isOwn: Whether an item that this thread has posted is still its own to handle.
    ///   - handle: Handles one item.
    /// - Returns: False if the caller is still the owner and must hand over the rest.
    @inlinable @inline(__always)
    package borrowing func work(
        _ turn: Turn, _ batch: inout [Item], isOwn: (Item) -> Bool = { _ in true }, _ handle: (Item) -> Void
    ) -> Bool {
        var turn = turn
        repeat {
            guard handleMail(&turn, &batch, isOwn: isOwn, handle) else { return false }
        } while !leave(turn)
        return true
    }

    /// Collects once and handles the items that the turn allows. The parameters are those of ``work(_:_:isOwn:_:)``.
    ///
    /// An heir that finds items in the batch, from the owner before it, handles these instead of collecting.
    ///
    /// - Returns: False if the turn is over, and the caller must hand over what is left.
    @inlinable @inline(__always)
    package borrowing func handleMail(
        _ turn: inout Turn, _ batch: inout [Item], isOwn: (Item) -> Bool = { _ in true }, _ handle: (Item) -> Void
    ) -> Bool {
        var share = batch.isEmpty || !turn.isHeirs ? collect(into: &batch, as: turn) : batch.count
        while share > 0, let item = batch.popLast() {
            if !turn.isHeirs, !isOwn(item) {
                batch.append(item)
                return false
            }
            handle(item)
            share -= 1
            if turn.slice?.isOver() == true { return false }
        }
        guard batch.isEmpty else { return false }
        // Release the memory that a burst has needed.
        if batch.capacity * MemoryLayout<Item>.stride > 2048 { batch = [] }
        return true
    }

    /// Gives up ownership at the end of a turn and returns true, unless there are items: then the caller remains the owner.
    @inlinable package borrowing func leave(_ turn: Turn) -> Bool {
        guard turn.isHeirs else { return leave() }
        heir.store(0, ordering: .relaxed)
        if leave() { return true }
        heir.store(currentThread(), ordering: .relaxed)
        return false
    }

    /// Marks that the items wait for an heir. The owner's last step before it schedules the heir.
    ///
    /// A relaxed store is enough: the queue or actor that runs the heir makes all that this owner has done visible to it.
    @inlinable package borrowing func bequeath() { heir.store(1, ordering: .relaxed) }

    /// Hands the items over to an heir, which runs soon on a system queue. The owner's last step.
    ///
    /// - Parameter heir: Calls ``inherit()`` first, and then handles the items.
    @inlinable package borrowing func bequeath(to heir: @escaping () -> Void) {
        bequeath()
        Handover.run(heir)
    }

    /// Records the heir's thread, and begins its turn: the items of all threads, for one ``TimeSlice``. An heir's first step.
    @inlinable package borrowing func inherit() -> Turn {
        heir.store(currentThread(), ordering: .relaxed)
        return Turn(slice: TimeSlice())
    }

    /// Slows down a caller that floods the mailbox (back-pressure), so that memory does not grow as fast as a thread can send.
    /// Call it after ``post(_:forHeir:)``, with no lock held.
    ///
    /// It applies when the inbox is full and, since it became full, the caller has posted more than 64 items and at least the
    /// average of the threads that post.
    ///
    /// If the items wait for an heir, the caller waits, half a millisecond at most. If they wait for an owner that handles its
    /// own items, the caller may be that very thread; so it only yields its processor now and then, in case the owner runs on
    /// another thread and has lost its own. The call always returns, whatever other code does.
    @inlinable @inline(__always) package borrowing func holdUp() {
        if gate.load(ordering: .relaxed) & Gate.full != 0 { holdUpMaker() }
    }

    @usableFromInline borrowing func holdUpMaker() {
        switch restraint(of: currentThread()) {
        case .none: break
        case .offeringProcessor: offerProcessor()
        case .waiting: Handover.holdUp { gate.load(ordering: .relaxed) & Gate.full != 0 }
        }
    }

    enum Restraint {
        case none
        case offeringProcessor
        case waiting
    }

    /// Returns how a thread that has just posted an item is slowed down.
    borrowing func restraint(of thread: UInt) -> Restraint {
        let heir = heir.load(ordering: .relaxed)
        guard heir != thread, let count = inbox.withLock({ $0.debt(of: thread) }) else { return .none }
        if heir != 0 { return .waiting }
        return count % 16 == 0 ? .offeringProcessor : .none
    }
}

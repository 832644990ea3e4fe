import Synchronization

/// Makes calls from many threads, and calls from inside calls, happen one after the other without holding a lock.
///
/// Whoever finds the mailbox idle becomes its owner and may touch what it guards, user code included. Whoever finds it owned leaves
/// an item and goes on. So nothing recurses, nothing waits, and all items are handled in one order. Subjects, the operators that join
/// several upstreams, sinks on an actor and the loop of Moonlight are built on it.
///
/// **A thread runs what it brought, and then goes home.** An owner handles its own item, and of the items in the mailbox those that it
/// has left itself, from inside. At the first item of another thread it stops: what is left goes, with the ownership, to an *heir*, a
/// job that belongs to no sender (``Handover``, or the actor of what has a home). So nobody is held by what others keep sending, and
/// nothing of one sender's context (task-locals, priority, cancellation) is seen by another's item. An heir handles whatever comes,
/// for the length of a ``TimeSlice``, and then leaves the rest to the next heir.
///
/// The owner leaves by swapping `owned` for `idle`, which fails if somebody has posted since it last looked:
///
///     thread A (owner)               thread B                      heir
///     ----------------               --------                      ----
///     handle its own item
///                                    lock; append item; unlock
///     leave: owned -> idle fails
///     collect: the item is B's
///     hand over, and go home
///                                    lock; append item; unlock
///                                                                  handle B's first item
///                                                                  leave: fails; collect
///                                                                  handle B's second item
///                                                                  leave: owned -> idle
///
/// or A leaves before B takes the lock: then B's post swaps `idle` for `owned`, and B is the owner of an item of its own. There is no
/// third way: while the lock is free, an item in the inbox has an owner or an heir on its way.
///
/// An item's sender is told by its thread alone, which is enough: a mailbox that is idle is empty, so an item in it was left after its
/// owner became the owner; and what the owner's thread has left since then, it has left from inside.
@usableFromInline package struct Mailbox<Item>: ~Copyable {
    @usableFromInline let gate = Atomic<UInt8>(Gate.idle)
    @usableFromInline let inbox = Lock(Inbox())
    /// The thread of the heir, 1 if it is on its way, 0 if there is none.
    @usableFromInline let heir = Atomic<UInt>(0)

    @usableFromInline enum Gate {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var owned: UInt8 { 1 }
        @inlinable static var ownedWithMail: UInt8 { 3 }

        /// Beside `ownedWithMail`: so much waits that those who bring more are held up; see ``Mailbox/holdUp()``.
        @inlinable static var full: UInt8 { 4 }
    }

    /// What waits.
    @usableFromInline struct Inbox: @unchecked Sendable {
        // Sound: only used behind the lock.
        @usableFromInline var items: [Item] = []
        /// The thread that left the first item, and how many it left before anybody else left one.
        @usableFromInline var (firstSender, firstSendersShare): (UInt, Int) = (0, 0)
        /// Who has left how many of those that are too many.
        @usableFromInline var makers: [(thread: UInt, count: Int)] = []

        @inlinable init() {}

        @inlinable mutating func append(_ item: Item, from sender: UInt) {
            if items.isEmpty { (firstSender, firstSendersShare) = (sender, 0) }
            if firstSender == sender, firstSendersShare == items.count { firstSendersShare += 1 }
            items.append(item)
            if isFull { count(sender) }
        }

        /// How many of the first items a thread has left, before anybody else left one.
        @inlinable func share(of thread: UInt) -> Int { firstSender == thread ? firstSendersShare : 0 }

        /// A few thousand items wait.
        @inlinable var isFull: Bool { items.count >= 4096 }

        @usableFromInline mutating func count(_ sender: UInt) {
            if let place = makers.firstIndex(where: { $0.thread == sender }) {
                makers[place].count += 1
            } else {
                makers.append((sender, 1))
            }
        }

        /// How many of those that are too many a thread has brought, if it is more than a few, and not less than others have.
        @usableFromInline func debt(of thread: UInt) -> Int? {
            guard let count = makers.first(where: { $0.thread == thread })?.count, count > 64 else { return nil }
            return count * makers.count >= makers.reduce(0) { $0 + $1.count } ? count : nil
        }
    }

    @inlinable package init() {}

    /// Becomes the owner of an idle mailbox. The owner must call ``leave()`` in the end, or hand over.
    @inlinable @inline(__always) package borrowing func enter() -> Bool {
        gate.compareExchange(expected: Gate.idle, desired: Gate.owned, ordering: .acquiring).exchanged
    }

    /// Leaves an item for the owner; returns whether the caller has become the owner, and so must see to the mail.
    ///
    /// - Parameter isForHeir: Whether not even the caller may handle it: it is what others have brought.
    @inlinable package borrowing func post(_ item: Item, forHeir isForHeir: Bool = false) -> Bool {
        let sender = isForHeir ? 0 : currentThread()
        return inbox.withLock { inbox in
            inbox.append(item, from: sender)
            let isOwner = raise()
            if inbox.isFull { gate.bitwiseOr(Gate.full, ordering: .relaxed) }
            return isOwner
        }
    }

    /// Marks that there is mail. Call it with the lock held.
    @inlinable borrowing func raise() -> Bool {
        if enter() { return true }
        while true {
            let (exchanged, seen) = gate.compareExchange(
                expected: Gate.owned, desired: Gate.ownedWithMail, ordering: .acquiringAndReleasing)
            if exchanged || seen & Gate.ownedWithMail == Gate.ownedWithMail { return false }
            if enter() { return true }
        }
    }

    /// Gives up ownership, unless there is mail: then the caller stays the owner and must see to it.
    @inlinable @inline(__always) package borrowing func leave() -> Bool {
        gate.compareExchange(expected: Gate.owned, desired: Gate.idle, ordering: .releasing).exchanged
    }

    /// Whether nobody is the owner, so that there is no mail either. Anybody's to ask.
    package var isIdle: Bool { gate.load(ordering: .acquiring) == Gate.idle }

    /// Whether somebody has posted since the owner last collected. The owner's to ask.
    @inlinable @inline(__always) package var hasMail: Bool {
        gate.load(ordering: .acquiring) & Gate.ownedWithMail == Gate.ownedWithMail
    }

    /// Moves the mail into an empty array of the owner's, the first item last, so that two arrays serve for good and nothing is
    /// allocated.
    ///
    /// - Returns: How many of the items are the caller's own; an heir's are all.
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

// What an owner does about its mail.
extension Mailbox {
    /// Whose items an owner handles.
    @usableFromInline package struct Turn {
        @usableFromInline var slice: TimeSlice?
        @inlinable init(slice: TimeSlice?) { self.slice = slice }

        /// Those of the thread itself, all of them.
        @inlinable package static var own: Turn { Turn(slice: nil) }

        @inlinable package var isHeirs: Bool { slice != nil }
    }

    /// Handles mail until there is none left, and leaves.
    ///
    /// - Parameters:
    ///   - batch: The owner's, for this only; what is in it when the turn is over goes to the heir.
    ///   - isOwn: Whether an item that this thread has left is still its own.
    /// - Returns: False if what is left is to be handed over.
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

    /// Handles what there is.
    ///
    /// - Returns: False if something is left in the batch, or may be, that is to be handed over.
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
        // What a burst has needed goes back.
        if batch.capacity * MemoryLayout<Item>.stride > 2048 { batch = [] }
        return true
    }

    /// Gives up ownership at the end of a turn, unless there is mail.
    @inlinable package borrowing func leave(_ turn: Turn) -> Bool {
        guard turn.isHeirs else { return leave() }
        heir.store(0, ordering: .relaxed)
        if leave() { return true }
        heir.store(currentThread(), ordering: .relaxed)
        return false
    }

    /// The owner's last word before it hands over: from now on the mail waits for an heir.
    ///
    /// What carries the heir there, a queue or an actor, lets it see all that this owner has done.
    @inlinable package borrowing func bequeath() { heir.store(1, ordering: .relaxed) }

    /// Hands over to an heir that runs soon, on a thread of the system's that belongs to no sender. The owner calls it last.
    ///
    /// - Parameter heir: Calls ``inherit()`` first, and handles the mail.
    @inlinable package borrowing func bequeath(to heir: @escaping () -> Void) {
        bequeath()
        Handover.run(heir)
    }

    /// Begins the turn of an heir, on its thread: everybody's items, for the length of a ``TimeSlice``.
    @inlinable package borrowing func inherit() -> Turn {
        heir.store(currentThread(), ordering: .relaxed)
        return Turn(slice: TimeSlice())
    }

    /// Holds up a caller that floods: if thousands of items wait and, of those that are too many, the caller has left more than a few
    /// and at least as many as others on average. So memory does not grow as fast as somebody can send.
    ///
    /// If the items wait for an heir, it is held up for half a millisecond at most. If they wait for one who handles an item of its own,
    /// the caller may be that very thread, inside; so it only offers its processor now and then, for that one may have lost its own.
    /// It is no wait for another's code: it ends whatever that does. To be called after ``post(_:forHeir:)``, with no lock held.
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

    enum Restraint { case none, offeringProcessor, waiting }

    /// What a thread that has just left an item is to do about it.
    borrowing func restraint(of thread: UInt) -> Restraint {
        let heir = heir.load(ordering: .relaxed)
        guard heir != thread, let count = inbox.withLock({ $0.debt(of: thread) }) else { return .none }
        if heir != 0 { return .waiting }
        return count % 16 == 0 ? .offeringProcessor : .none
    }
}

import Synchronization

/// Makes calls from many threads, and calls from inside calls, happen one after the other without holding a lock. Whoever finds
/// the mailbox idle becomes its owner and may touch what it guards, user code included. Whoever finds it owned leaves an item and
/// goes away; the owner handles that item before it lets go. So nothing recurses, nothing waits, and all items are handled in one
/// order. Subjects, the operators that join several upstreams, and the loop of Moonlight are built on it. The owner leaves by
/// swapping `owned` for `idle`, which fails if somebody has posted since it last looked:
///
///     thread A (owner)                     thread B
///     ----------------                     --------
///     handle the last item
///                                          lock; append item
///     leave: owned -> idle succeeds
///                                          idle -> owned succeeds: B is the owner
///                                          unlock; handle the item
///
/// or, the other way round, B finds it owned and marks `owned + mail`; A's leave fails and A handles the item. There is no third
/// way, and while the lock is free an item in the inbox always has an owner.
@usableFromInline package struct Mailbox<Item>: ~Copyable {
    @usableFromInline let gate = Atomic<UInt8>(Gate.idle)
    @usableFromInline let inbox: Lock<UncheckedBox<[Item]>>
    @usableFromInline enum Gate {
        @inlinable static var idle: UInt8 { 0 }
        @inlinable static var owned: UInt8 { 1 }
        @inlinable static var ownedWithMail: UInt8 { 3 }
    }
    @inlinable package init() { inbox = Lock(UncheckedBox([])) }
    /// Becomes the owner of an idle mailbox. The owner must call ``leave()`` in the end.
    @inlinable @inline(__always) package borrowing func enter() -> Bool {
        gate.compareExchange(expected: Gate.idle, desired: Gate.owned, ordering: .acquiring).exchanged
    }
    /// Leaves an item for the owner; returns whether the caller has become the owner, and so must handle the mail.
    @inlinable package borrowing func post(_ item: Item) -> Bool {
        inbox.withLock { inbox in
            inbox.value.append(item)
            return raise()
        }
    }
    /// Marks that there is mail. Call it with the lock held.
    @inlinable package borrowing func raise() -> Bool {
        if enter() { return true }
        while true {
            let (exchanged, seen) = gate.compareExchange(
                expected: Gate.owned, desired: Gate.ownedWithMail, ordering: .acquiringAndReleasing)
            if exchanged || seen == Gate.ownedWithMail { return false }
            if enter() { return true }
        }
    }
    /// Gives up ownership, unless there is mail: then the caller stays the owner and must handle it.
    @inlinable @inline(__always) package borrowing func leave() -> Bool {
        gate.compareExchange(expected: Gate.owned, desired: Gate.idle, ordering: .releasing).exchanged
    }
    /// Whether somebody has posted since the owner last collected. The owner's to ask.
    @inlinable @inline(__always) package var hasMail: Bool { gate.load(ordering: .acquiring) == Gate.ownedWithMail }
    /// Moves the mail into an empty array of the owner's, so that two arrays serve for good and nothing is allocated.
    @inlinable package borrowing func collect(into batch: inout [Item]) {
        inbox.withLock { inbox in
            gate.store(Gate.owned, ordering: .relaxed)
            swap(&inbox.value, &batch)
        }
    }
}

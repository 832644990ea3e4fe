import Synchronization

/// A lock that calls ``SwitchPoint`` before it is taken, when a thread must wait for it, and when it is released. ``HeldLocks``
/// records which thread holds it.
@usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // Sound: `value` is only accessed while `isTaken` is held.
    @usableFromInline let isTaken = Synchronization.Atomic<Bool>(false)
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable package init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs a closure while holding the lock.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        SwitchPoint.reached()
        while isTaken.exchange(true, ordering: .acquiring) { SwitchPoint.waits(for: value) }
        HeldLocks.add(Value.self)
        defer {
            HeldLocks.removeLast()
            isTaken.store(false, ordering: .releasing)
            SwitchPoint.gaveBack(value)
        }
        return try body(&value.pointee)
    }
}

import Synchronization

/// A lock that asks ``SwitchPoint`` before it is taken, and tells it when it must wait and when it is given back. ``HeldLocks`` knows
/// who holds it.
@usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // Sound: `value` is only touched between taking and giving back `isTaken`.
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

    /// Runs a closure with the lock taken.
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

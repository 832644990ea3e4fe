import Synchronization

#if THREAD_SANITIZER
    /// A lock that the thread sanitizer understands. `Mutex` waits inside the standard library, which is not instrumented: the
    /// sanitizer does not see a contended lock being handed over, and reports races that are none. Atomics it does see. Built
    /// with `-DTHREAD_SANITIZER` only: it spins, which is no way to wait for anything but a few instructions.
    @usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        // Sound: `value` is only touched between taking and giving back `isTaken`.
        @usableFromInline let isTaken = Atomic<Bool>(false)
        @usableFromInline let value: UnsafeMutablePointer<Value>

        @inlinable package init(_ value: Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        @inlinable deinit { value.deinitialize(count: 1).deallocate() }

        /// Runs a closure with the lock taken.
        @inlinable package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            while isTaken.exchange(true, ordering: .acquiring) {}
            defer { isTaken.store(false, ordering: .releasing) }
            return try body(&value.pointee)
        }
    }
#elseif !SCHEDULES
    /// The one kind of lock in this package. No user code runs while one is held: nothing of the user's is called, compared, hashed,
    /// described or let go of. `Tests/SchedulesTests/Locks` looks whether that is so.
    @usableFromInline package typealias Lock<Value> = Mutex<Value>
#endif

/// Lets go of what has been taken out from behind a lock, here and not sooner.
///
/// An optimised program lets go of a result that is assigned to `_` as soon as it can, which may be before `withLock` gives the lock
/// back. CI refuses such an assignment.
@inlinable package func discard<Value>(_ value: Value) { withExtendedLifetime(value) {} }

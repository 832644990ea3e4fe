import Synchronization

#if THREAD_SANITIZER
    /// A lock that the thread sanitizer understands. `Mutex` waits inside the standard library, which is not instrumented: the
    /// sanitizer does not see how a contended lock changes hands, and reports false races. It does see atomics. Only builds with
    /// `-DTHREAD_SANITIZER` use this lock, because it spins.
    @usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        // Sound: `value` is only accessed while `isTaken` is held.
        @usableFromInline let isTaken = Atomic<Bool>(false)
        @usableFromInline let value: UnsafeMutablePointer<Value>

        @inlinable package init(_ value: Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        @inlinable deinit { value.deinitialize(count: 1).deallocate() }

        /// Runs a closure while holding the lock.
        @inlinable package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            while isTaken.exchange(true, ordering: .acquiring) { offerProcessor() }
            defer { isTaken.store(false, ordering: .releasing) }
            return try body(&value.pointee)
        }
    }
#elseif !SCHEDULES
    /// The only kind of lock in this package. No user code runs while one is held: no value of the user's is called, compared,
    /// hashed, described or released. `Tests/SchedulesTests/Locks` checks that.
    @usableFromInline package typealias Lock<Value> = Mutex<Value>
#endif

/// Releases a value that was taken out from behind a lock, here and not earlier.
///
/// An optimized program may release a result that is assigned to `_` before `withLock` unlocks. CI rejects such an assignment.
@inlinable package func discard<Value>(_ value: Value) { withExtendedLifetime(value) {} }

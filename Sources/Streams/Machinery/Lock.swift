import Synchronization

#if !SCHEDULES
    /// The only kind of lock in this package. No user code runs while one is held: no value of the user is called, compared,
    /// hashed, described or released. `Tests/SchedulesTests/Locks` checks that.
    ///
    /// It is the standard library's `Mutex`, which waits in code that the thread sanitizer does not see. From the atomic, the
    /// sanitizer learns how the lock passes from one thread to the next; on its own, each access is a plain load or store.
    @usableFromInline package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        // Sound: the value is only used with the mutex held.
        @usableFromInline let mutex: Mutex<UncheckedBox<Value>>
        /// Read by each holder first, and written last.
        @usableFromInline let passed: Atomic<Bool>

        @inlinable @inline(__always) package init(_ value: Value) {
            mutex = Mutex(UncheckedBox(value))
            passed = Atomic(false)
        }

        /// Runs a closure while holding the lock.
        @inlinable @inline(__always) package borrowing func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try mutex.withLock { box throws(Failure) in
                _ = passed.load(ordering: .acquiring)
                defer { passed.store(false, ordering: .releasing) }
                return UncheckedTransfer(try body(&box.value))
            }.value
        }
    }
#endif

/// Releases a value that was removed from behind a lock, here and not earlier. An optimized program may release a result that is
/// assigned to `_` before `withLock` unlocks. CI rejects such an assignment.
@inlinable package func discard<Value>(_ value: Value) { withExtendedLifetime(value) {} }

import Synchronization

/// Which locks of this package each thread holds: what a test asks from inside a `deinit`, a `==` or a `hash(into:)` of its own,
/// which must never be called with one held.
///
/// Part of Streams when that is built with `-DSCHEDULES`; a normal build has none of this.
@usableFromInline package enum HeldLocks {
    private static let types = Mutex<[UInt: [Any.Type]]>([:])

    /// This thread has taken a lock.
    @usableFromInline static func add(_ type: Any.Type) {
        types.withLock { $0[currentThread(), default: []].append(type) }
    }

    /// This thread is about to give back the lock that it took last.
    @usableFromInline static func removeLast() {
        types.withLock { types in
            let thread = currentThread()
            _ = types[thread]?.popLast()
            if types[thread]?.isEmpty == true { types[thread] = nil }
        }
    }

    /// What is behind the locks that this thread holds, outermost first.
    package static var here: [String] { types.withLock { $0[currentThread()] ?? [] }.map { "\($0)" } }
}

import Synchronization

/// A record of the locks of this package that each thread holds. Values of the tests read it in their `deinit`, `==` and
/// `hash(into:)`, which must never be called with a lock held.
///
/// It is part of Streams if that is built with `-DSCHEDULES`; a normal build does not contain it.
@usableFromInline package enum HeldLocks {
    private static let types = Mutex<[UInt: [Any.Type]]>([:])

    /// Records that this thread has taken a lock, by the type of the value behind it.
    @usableFromInline static func add(_ type: Any.Type) {
        types.withLock { $0[currentThread(), default: []].append(type) }
    }

    /// Records that this thread is about to release the lock that it took last.
    @usableFromInline static func removeLast() {
        types.withLock { types in
            let thread = currentThread()
            _ = types[thread]?.popLast()
            if types[thread]?.isEmpty == true { types[thread] = nil }
        }
    }

    /// The types of the values behind the locks that this thread holds, outermost first.
    package static var here: [String] { types.withLock { $0[currentThread()] ?? [] }.map { "\($0)" } }
}

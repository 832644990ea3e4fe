import Synchronization

/// Takes long chains of erased publishers and subscribers, and cancellables that are nested in each other, apart without recursion:
/// released as Swift releases things, a chain of a hundred thousand boxes takes a hundred thousand nested calls. So a box that
/// finds itself deep inside other boxes' ends sets what it holds aside, and the outermost lets go of it when it is back on top. How
/// deep one is need not be known as long as fewer boxes are alive in the whole process than are too deep: one relaxed counter tells.
@usableFromInline enum IterativeRelease {
    @usableFromInline static let live = Atomic<Int>(0)

    /// What one thread has set aside. Only that thread sees it.
    final class Deferred: @unchecked Sendable {
        // Sound: one thread at a time has it. A task that was made meanwhile inherits the task-local value, but runs elsewhere,
        // or when all of it has been released.
        let thread = currentThread()
        var depth = 0
        var items: [Any] = []

        func end(_ letGo: () -> Void, setAside: () -> Any) {
            // So many boxes may end inside each other: a small part of the smallest stack, even where a thread uses both the shared one and its own.
            if depth >= 100 { return items.append(setAside()) }
            depth += 1
            letGo()
            while depth == 1, let item = items.popLast() { _ = item }
            depth -= 1
        }
    }

    /// Used by one thread at a time, its `owner`; other threads meanwhile find theirs by a task-local.
    private static let first = Deferred(), owner = Atomic<UInt>(0)
    @TaskLocal static var deferred: Deferred?
    @inlinable @inline(__always) static func boxWasMade() { live.wrappingAdd(1, ordering: .relaxed) }

    /// Whether boxes could be nested too deeply.
    @inlinable @inline(__always) static func boxWillEnd() -> Bool { live.wrappingSubtract(1, ordering: .relaxed).oldValue > 200 }

    /// Whether boxes could be nested too deeply, as none ends.
    @inlinable @inline(__always) static func mayBeDeep() -> Bool { live.load(ordering: .relaxed) > 200 }

    /// Lets go of what a box holds: here, or later if this is too deep, when it is set aside.
    @usableFromInline static func end(_ letGo: () -> Void, setAside: () -> Any) {
        let thread = currentThread()
        if owner.load(ordering: .relaxed) == thread { return first.end(letGo, setAside: setAside) }
        if owner.compareExchange(expected: 0, desired: thread, ordering: .acquiring).exchanged {
            first.end(letGo, setAside: setAside)
            return owner.store(0, ordering: .releasing)
        }
        if let deferred, deferred.thread == thread, deferred.depth > 0 { return deferred.end(letGo, setAside: setAside) }
        let deferred = Deferred()
        $deferred.withValue(deferred) { deferred.end(letGo, setAside: setAside) }
    }
}

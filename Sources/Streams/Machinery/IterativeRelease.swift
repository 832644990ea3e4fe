import Synchronization

/// Releases long chains of erased publishers, erased subscribers and nested cancellables without deep recursion.
///
/// Swift would release a chain of a hundred thousand boxes in a hundred thousand nested calls. So a `deinit` that is nested too
/// deeply queues the content of its box for the outermost one, which releases it in a loop. While the number of live boxes in the
/// process, a relaxed counter, is too small for deep nesting, the depth is not tracked at all.
@usableFromInline enum IterativeRelease {
    /// The number of live boxes in the process.
    @usableFromInline static let live = Atomic<Int>(0)

    /// The contents that one thread has queued. Only that thread uses it.
    final class Deferred: @unchecked Sendable {
        // Sound: one thread at a time uses it. A task created meanwhile inherits the task-local value, but runs on another
        // thread, or after all of it has been released.
        let thread = currentThread()
        var depth = 0
        var items: [Any] = []

        func end(_ letGo: () -> Void, setAside: () -> Any) {
            // The nesting allowed: a small part of the smallest stack, even if a thread uses both the shared one and its own.
            if depth >= 100 { return items.append(setAside()) }
            depth += 1
            letGo()
            while depth == 1, let item = items.popLast() { _ = item }
            depth -= 1
        }
    }

    /// One for whichever thread finds it free, and that thread, or 0. Threads that need one while it is taken use a task-local
    /// one.
    private static let first = Deferred()
    private static let owner = Atomic<UInt>(0)
    @TaskLocal static var deferred: Deferred?
    /// Counts a new box.
    @inlinable @inline(__always) static func boxWasMade() { live.wrappingAdd(1, ordering: .relaxed) }

    /// Counts a box that is about to end; returns whether boxes could be nested too deeply.
    @inlinable @inline(__always) static func boxWillEnd() -> Bool { live.wrappingSubtract(1, ordering: .relaxed).oldValue > 200 }

    /// Returns whether boxes could be nested too deeply. For use outside a `deinit`.
    @inlinable @inline(__always) static func mayBeDeep() -> Bool { live.load(ordering: .relaxed) > 200 }

    /// Releases the content of a box: now, or later if the nesting is too deep.
    ///
    /// - Parameter letGo: Releases the content.
    /// - Parameter setAside: Returns the content, to be released by the outermost call.
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

import Synchronization

/// Takes long chains of erased publishers and subscribers apart without recursion: released as Swift releases things, a chain of a
/// hundred thousand boxes takes a hundred thousand nested calls. So a box that finds itself deep inside other boxes' ends sets what
/// it holds aside, and the outermost lets go of it when it is back on top. To know how deep one is costs a task-local look-up, for
/// which there is no need as long as fewer boxes are alive in the whole process than are too deep: one relaxed counter tells.
@usableFromInline enum Unwinding {
    @usableFromInline static let live = Atomic<Int>(0)
    /// What one thread has set aside. Only that thread sees it.
    final class Pile: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread looks at the rest; a task that was made meanwhile inherits the
        // task-local value, but runs elsewhere, or when the pile is done.
        let thread = currentThread()
        var isOpen = true
        var depth = 0
        var items: [Any] = []
    }
    @TaskLocal static var pile: Pile?
    /// How many boxes may end inside each other: a small part of the smallest stack.
    private static var limit: Int { 200 }
    @inlinable @inline(__always) static func boxWasMade() { live.wrappingAdd(1, ordering: .relaxed) }
    /// Whether boxes could be nested too deeply.
    @inlinable @inline(__always) static func boxWillEnd() -> Bool { live.wrappingSubtract(1, ordering: .relaxed).oldValue > 200 }
    /// Lets go of what a box holds: here, or later if this is too deep, when it is set aside.
    @usableFromInline static func end(_ letGo: () -> Void, setAside: () -> Any) {
        guard let pile, pile.thread == currentThread(), pile.isOpen else {
            let pile = Pile()
            return $pile.withValue(pile) {
                letGo()
                while let item = pile.items.popLast() { _ = item }
                pile.isOpen = false
            }
        }
        if pile.depth >= limit { return pile.items.append(setAside()) }
        pile.depth += 1
        letGo()
        pile.depth -= 1
    }
}

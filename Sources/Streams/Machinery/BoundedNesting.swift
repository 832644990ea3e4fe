/// Bounds the depth of calls that subscribers make from inside their completions. Without it, a subscriber that subscribes again
/// each time it is rejected would fill the stack.
///
/// A nested run is a plain call, unless it is too deep: then its work is queued, and the outermost run does it when the nested
/// ones have returned.
@usableFromInline enum BoundedNesting {
    /// The deepest nesting allowed: a small part of the smallest stack.
    static var limit: Int { 30 }

    @TaskLocal private static var runs: Runs?

    @usableFromInline static func run(_ work: @escaping () -> Void) {
        if let runs, runs.thread == currentThread(), runs.depth > 0 { return runs.run(work) }
        let runs = Runs()
        $runs.withValue(runs) { runs.run(work) }
    }

    /// The nested runs of one thread.
    private final class Runs: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread uses the rest. A task that inherits the task-local value runs on
        // another thread, or when `depth` is 0.
        let thread = currentThread()
        private(set) var depth = 0
        private var setAside = Queue<() -> Void>()

        func run(_ work: @escaping () -> Void) {
            if depth == BoundedNesting.limit { return setAside.append(work) }
            depth += 1
            work()
            while depth == 1, let next = setAside.popFirst() { next() }
            depth -= 1
        }
    }
}

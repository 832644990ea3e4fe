/// Keeps what subscribers begin from inside their completions from filling the stack: a subscriber that subscribes again when it is
/// refused, and is refused again, would otherwise do so in ever deeper calls.
///
/// What is run from inside another run is run at once, as a plain call, unless it is too deep: then it is set aside, and the outermost runs
/// it when the stack has been given back.
@usableFromInline enum BoundedNesting {
    /// So many may be inside each other: a small part of the smallest stack.
    static var limit: Int { 30 }

    @TaskLocal private static var runs: Runs?

    @usableFromInline static func run(_ work: @escaping () -> Void) {
        if let runs, runs.thread == currentThread(), runs.depth > 0 { return runs.run(work) }
        let runs = Runs()
        $runs.withValue(runs) { runs.run(work) }
    }

    /// What runs on one thread.
    private final class Runs: @unchecked Sendable {
        // Sound: the thread is constant, and only that thread looks at the rest: a task that inherits the task-local value runs elsewhere, or
        // when nothing runs here any more.
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

/// Runs something at once, on this thread, as if no task were there: it sees no task-local, no cancellation, and no task's priority; a
/// task that it makes inherits none.
///
/// A detached task that has this thread for an executor: there is no other way to hide what is bound here. It costs a microsecond.
@usableFromInline package func withoutTaskContext(_ work: @escaping @Sendable () -> Void) {
    Task.detached(executorPreference: CallingThread.shared) { work() }
}

/// Runs a job where it is enqueued.
private final class CallingThread: TaskExecutor {
    static let shared = CallingThread()

    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

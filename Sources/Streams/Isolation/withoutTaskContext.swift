/// Runs a closure at once, on this thread, without the context of the current task: it sees no task-locals, no cancellation and
/// no task priority, and a task that it creates inherits none.
///
/// The closure runs in a detached task whose executor is this thread, because there is no other way to hide the current
/// task-locals. That costs a microsecond.
@usableFromInline package func withoutTaskContext(_ work: @escaping @Sendable () -> Void) {
    DeliveryOrigin.none { Task.detached(executorPreference: CallingThread.shared) { work() } }
}

/// An executor that runs a job at once, on the thread that enqueues it.
private final class CallingThread: TaskExecutor {
    static let shared = CallingThread()

    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

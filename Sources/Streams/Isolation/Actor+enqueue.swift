extension Actor {
    /// Schedules a call on this actor, without the context of the caller: it sees neither the caller's task nor its task-locals.
    /// When this function returns, the call is in the actor's queue, ahead of all calls that are enqueued later.
    ///
    /// - Parameter call: The call.
    @usableFromInline package nonisolated func enqueue(_ call: @escaping @Sendable () -> Void) {
        // A task whose closure is isolated to the actor is enqueued there directly, not by way of the global pool. Only isolated
        // code can form such a closure: hence the cast, as in `assumeIsolated`. Sound, because nothing of the actor is used
        // before the task runs.
        let start: (isolated any Actor) -> Void = { actor in Task { withExtendedLifetime(actor, call) } }
        let startHere = UncheckedTransfer(unsafeBitCast(start, to: ((any Actor) -> Void).self))
        // A task inherits the task-locals that are bound where it is created.
        withoutTaskContext { startHere.value(self) }
    }
}

/// The content of an object that belongs to an actor, to be released there.
///
/// The releasing thread and the job on the actor share only this object. If they shared the content itself, the one that drops
/// its reference last would release it, and that may be the thread.
final class ActorRelease<Content>: @unchecked Sendable {
    // Sound: the creator of this object retains no reference to the content, and only the job on the actor uses it afterwards.
    private var content: Content?

    init(_ content: Content?) { self.content = content }

    /// Releases the content on an actor, soon. Not inlined, so that the content has no other reference by then.
    @inline(never) func run(on actor: any Actor) {
        if content != nil { actor.enqueue { [self] in content = nil } }
    }
}

/// Runs a closure at once, on this thread, without the context of the current task: it sees no task-locals, no cancellation and
/// no task priority, and a task that it creates inherits none.
///
/// The closure runs in a detached task whose executor is this thread, because there is no other way to hide the current
/// task-locals. That costs a microsecond.
package func withoutTaskContext(_ work: @escaping @Sendable () -> Void) {
    WorkContext.withoutOrigin { Task.detached(executorPreference: CallingThread.shared) { work() } }
}

/// An executor that runs a job at once, on the thread that enqueues it.
private final class CallingThread: TaskExecutor {
    static let shared = CallingThread()

    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

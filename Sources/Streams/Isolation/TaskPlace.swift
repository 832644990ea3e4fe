import Synchronization

/// The executor of the tasks that this module starts for `run` and for asynchronous sequences. A test that runs a program step by
/// step sets its own executor, and so decides when suspended tasks continue.
package enum TaskPlace {
    /// The executor; nil for the default one.
    @TaskLocal package static var executor: (any StepwiseExecutor)?

    /// Calls a closure during which tasks are started on the given executor; nil for the default one.
    package static func with(_ place: (any StepwiseExecutor)?, _ call: () -> Void) {
        $executor.withValue(place, operation: call)
    }

    /// Starts a task that runs on the calling thread up to its first suspension, and continues on ``executor``.
    ///
    /// An operation that is isolated to an actor begins here only if the caller is on that actor; otherwise it waits for the
    /// actor.
    ///
    /// `Task.immediate` begins in place, but cannot continue on another executor. ``BeginningInPlace`` does both, and exists on
    /// every system, but each call of an actor then costs a job of the executor, so it is used only where it is needed.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task; nil for that of the caller.
    ///   - actor: The actor that the operation is isolated to; nil for none.
    ///   - operation: The operation, which is passed the actor.
    static func start(
        priority: TaskPriority?, on actor: (any Actor)?,
        _ operation: @escaping @Sendable (isolated (any Actor)?) async -> Void
    ) {
        let executor = executor
        if let actor {
            #if compiler(>=6.2)
                if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                    // Only a closure that is isolated to the actor begins in place on it, and only isolated code can form one:
                    // hence the cast, as in `Actor.enqueue`. Nothing of the actor is used before the task runs there.
                    let start: (isolated any Actor) -> Void = { actor in
                        Task.immediate(priority: priority, executorPreference: executor) { await operation(actor) }
                    }
                    unsafeBitCast(start, to: ((any Actor) -> Void).self)(actor)
                    return
                }
            #endif
            Task(executorPreference: executor, priority: priority) { await operation(actor) }
            return
        }
        #if compiler(>=6.2)
            if executor == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediate(priority: priority) { await operation(nil) }
                return
            }
        #endif
        Task(executorPreference: BeginningInPlace(then: executor), priority: priority) { await operation(nil) }
    }
}

/// An executor that can run the jobs of executors that are based on it.
package protocol StepwiseExecutor: TaskExecutor {
    /// Enqueues a job, to be run as a job of `executor`.
    func enqueue(_ job: UnownedJob, on executor: any TaskExecutor)
}

extension StepwiseExecutor {
    /// Enqueues a job, to be run as a job of this executor.
    package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), on: self) }
}

/// The executor of a single task, which runs the first job of the task at once, on the thread that starts it.
private final class BeginningInPlace: TaskExecutor {
    private let hasBegun = Atomic<Bool>(false)
    private let next: (any StepwiseExecutor)?

    /// - Parameter next: The executor of all later jobs; nil for the default one.
    init(then next: (any StepwiseExecutor)?) { self.next = next }

    func enqueue(_ job: consuming ExecutorJob) {
        if !hasBegun.exchange(true, ordering: .relaxed) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else if let next {
            next.enqueue(UnownedJob(job), on: self)
        } else {
            globalConcurrentExecutor.enqueue(job)
        }
    }
}

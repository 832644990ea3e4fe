import Streams

/// An executor that runs tasks on the thread that calls `run()`.
package final class SteppedExecutor: StepwiseExecutor, @unchecked Sendable {
    // Sound: the jobs are behind their lock.
    private let jobs = Lock<[(UnownedJob, any TaskExecutor)]>([])

    package init() {}

    package func enqueue(_ job: UnownedJob, on executor: any TaskExecutor) {
        jobs.withLock { $0.append((job, executor)) }
    }

    package var waiting: Int { jobs.withLock { $0.count } }

    /// Runs the pending jobs, and those that they enqueue.
    package func run() {
        while true {
            let batch = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            if batch.isEmpty { return }
            for (job, executor) in batch { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
        }
    }

    /// Calls a closure whose tasks run on this executor.
    package func here<Result>(_ body: () -> Result) -> Result { TaskPlace.$executor.withValue(self, operation: body) }
}

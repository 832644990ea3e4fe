import Streams

/// Runs tasks when it is told to, on the thread that tells it.
package final class ToldExecutor: TaskExecutor, @unchecked Sendable {
    // Sound: the jobs are behind their lock.
    private let jobs = Lock<[UnownedJob]>([])

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    package var waiting: Int { jobs.withLock { $0.count } }

    /// Runs what waits, and what comes of it.
    package func run() {
        while true {
            let batch = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            if batch.isEmpty { return }
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    /// Calls with this as the place of the tasks that are started.
    package func here<Result>(_ body: () -> Result) -> Result { TaskPlace.$executor.withValue(self, operation: body) }
}

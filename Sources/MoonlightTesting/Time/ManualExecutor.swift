import Streams

/// An executor that runs the tasks of a plan on the plan's thread, one job after the other, at the current virtual time.
package final class ManualExecutor: StepwiseExecutor, @unchecked Sendable {
    // Sound: the queue is behind its lock; the scheduler guards itself.
    private let scheduler: VirtualTimeScheduler
    private let jobs = Lock<(waiting: [(UnownedJob, any TaskExecutor)], isScheduled: Bool)>(([], false))

    package init(_ scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

    package func enqueue(_ job: UnownedJob, on executor: any TaskExecutor) {
        let isFirst = jobs.withLock { jobs in
            jobs.waiting.append((job, executor))
            defer { jobs.isScheduled = true }
            return !jobs.isScheduled
        }
        if isFirst { scheduler.schedule { [weak self] in self?.drain() } }
    }

    /// Runs the waiting jobs, and those that they enqueue, until none waits.
    private func drain() {
        while true {
            let batch = jobs.withLock { jobs in
                defer { (jobs.waiting, jobs.isScheduled) = ([], !jobs.waiting.isEmpty) }
                return jobs.waiting
            }
            if batch.isEmpty { return }
            for (job, executor) in batch { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
        }
    }
}

import Dispatch

/// Runs the tasks that read logs on threads that may block.
final class FleetReaders: TaskExecutor {
    private let queue = DispatchQueue(label: "moonlight.fleet", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

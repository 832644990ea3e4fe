import Dispatch
import Streams

/// Runs the tasks of a log on threads that may block.
final class LogExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(named name: String, isConcurrent: Bool = false) {
        queue = DispatchQueue(label: "moonlight.\(name)", attributes: isConcurrent ? .concurrent : [])
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Calls a closure after a time, on a dispatch queue.
@Sendable func callLater(_ time: Duration, _ call: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + TimeStride(max(.zero, time)).timeInterval, execute: call)
}

extension Duration {
    /// The whole nanoseconds, clamped to 292 years.
    var nanoseconds: Int64 { Int64(TimeStride(self).nanoseconds) }
}

extension Int64 {
    /// Returns the sum, clamped to the range of `Int64`.
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference of two times, clamped to 292 years.
    func minus(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

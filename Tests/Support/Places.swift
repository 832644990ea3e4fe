import Dispatch

/// Indicates whether the caller runs on the main queue, and so on the main actor, on any thread.
package enum MainPlace {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// The executor of an actor that runs on a separate queue, so that a test can check where code runs.
package final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "QueueExecutor")
    private let key = DispatchSpecificKey<Bool>()

    private let isEager: Bool

    /// - Parameter isEager: Whether a job from elsewhere has run when `enqueue` returns.
    package init(isEager: Bool = false) {
        self.isEager = isEager
        queue.setSpecific(key: key, value: true)
    }

    /// Indicates whether the caller runs on this executor.
    package var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Suspends all jobs until ``resume()``.
    package func suspend() { queue.suspend() }

    package func resume() { queue.resume() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let run = { @Sendable in job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        if isEager, !isHere { queue.sync(execute: run) } else { queue.async(execute: run) }
    }
}

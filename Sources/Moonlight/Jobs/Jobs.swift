import Streams
import Synchronization

/// The jobs of one loop that are in flight.
final class Jobs: @unchecked Sendable {
    // Sound: the register is behind its lock, the mailbox guards itself.
    private let register = Lock(JobRegister())
    private let starts = Mailbox<any JobInFlight>()

    func admit(_ job: any JobInFlight, _ id: JobID, _ policy: JobPolicy) -> JobRegister.Admission {
        register.withLock { $0.admit(job, id, policy) }
    }

    /// Takes out a job that has ended, and starts the one that waited for it.
    func remove(_ job: any JobInFlight, _ id: JobID) {
        if let next = register.withLock({ $0.remove(job, id) }) { start(next) }
    }

    /// Starts one after the other: of ten thousand that finish at once, none is started from inside another's end.
    private func start(_ job: any JobInFlight) {
        guard starts.post(job) else { return }
        var batch: [any JobInFlight] = []
        repeat {
            starts.collect(into: &batch)
            for job in batch { job.start() }
            batch = []
        } while !starts.leave()
    }

    /// What is in flight, oldest first.
    var list: [JobInfo] {
        register.withLock { $0.all }.map { $0.job.info($0.id, $0.policy, isWaiting: $0.isWaiting) }
    }

    /// Cancels all jobs of an id.
    func cancel(_ id: JobID) {
        for job in register.withLock({ $0.removeAll(id) }) { job.end(.cancelled) }
    }
}

/// A job as its loop sees it.
protocol JobInFlight: AnyObject, Sendable {
    /// Its number, in the order in which jobs came. The register's, once.
    var ticket: Int { get set }

    func start()
    /// Ends it before it has finished by itself: its stream finishes, its waiting effects are dropped.
    func end(_ how: JobRecord.Step)
    func info(_ id: JobID, _ policy: JobPolicy, isWaiting: Bool) -> JobInfo
}

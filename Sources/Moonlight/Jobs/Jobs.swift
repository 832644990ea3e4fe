import Streams
import Synchronization

/// The jobs of one loop that are in flight.
@usableFromInline
final class Jobs: LoopService, @unchecked Sendable {
    // Sound: the register is behind its lock, the mailbox is thread-safe, and the batch belongs to the mailbox's owner.
    private let register = Lock(JobRegister())
    private let starts = Mailbox<JobInFlight>()
    private let hasWarned = Atomic<Bool>(false)
    @exclusivity(unchecked) private var batch: [JobInFlight] = []

    @usableFromInline init() {}

    @usableFromInline
    func admit(_ job: JobInFlight, _ id: JobID, _ policy: JobPolicy) -> JobRegister.Admission {
        let hash = id.hashValue
        while true {
            let (seen, group) = look(for: id, at: hash)
            if let admission = register.withLock({ $0.admit(job, id, hash, policy, to: group, of: seen) }) { return admission }
        }
    }

    /// Returns whether no job with an id is in flight.
    @usableFromInline
    func isFree(_ id: JobID) -> Bool { look(for: id, at: id.hashValue).group == nil }

    /// Returns the group of an id, if there is one, and all groups whose ids have the same hash value. Ids are compared
    /// outside the lock.
    private func look(for id: JobID, at hash: Int) -> (seen: [JobGroup], group: JobGroup?) {
        let seen = register.withLock { $0[hash] }
        return (seen, seen.first { $0.id == id })
    }

    /// Removes a job that has ended, and starts the one that waited for it.
    ///
    /// - Parameter note: Called between the two, unless the job was removed before: then it was replaced or cancelled.
    @usableFromInline
    func remove(_ job: JobInFlight, _ note: () -> Void) {
        let (wasThere, next) = register.withLock { $0.remove(job) }
        if wasThere { note() }
        if let next { start(next) }
    }

    /// Starts waiting jobs one after another, so that of ten thousand that finish at once, none is started inside another's end.
    private func start(_ job: JobInFlight) { if starts.post(job) { work(within: nil) } }

    private func work(within slice: TimeSlice?) {
        let isDone = starts.work(within: slice, &batch) { job in
            // The job belongs to another event than the one that has ended, so the context of the task that ends it must not be
            // visible to it.
            withoutTaskContext { job.startWaiting() }
        }
        if isDone { return }
        runDetached { [self] in work(within: TimeSlice()) }
    }

    /// Warns on the standard error, once per loop, of a job that was refused because it would have waited forever.
    @usableFromInline
    func warn(of error: JobError) {
        guard case .waitsForItself = error, !hasWarned.exchange(true, ordering: .relaxed) else { return }
        printWarning("Moonlight: \(error)")
    }

    /// The jobs in flight, oldest first, each with the stream of an event that contains it.
    var live: [(stream: EffectOrigin, work: LiveWork)] {
        register.withLock { $0.all }.map { ($0.job.root, $0.job.work($0.id, isWaiting: $0.isWaiting)) }
    }

    /// Cancels all jobs with an id.
    ///
    /// - Parameter asker: The stream that requests it; nil for code outside the loop.
    func cancel(_ id: JobID, for asker: EffectOrigin? = nil) {
        guard let group = look(for: id, at: id.hashValue).group else { return }
        for job in register.withLock({ $0.removeAll(of: group) }) { job.end(.cancelled, for: asker) }
    }
}

extension LoopContext {
    @usableFromInline var jobs: Jobs { service(Jobs.self) }
}

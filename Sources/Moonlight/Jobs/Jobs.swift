import Streams
import Synchronization

/// The jobs of one loop that are in flight.
@usableFromInline
final class Jobs: LoopService {
    private let register = Lock(JobRegister())
    private let hasWarned = Atomic<Bool>(false)

    init() {}

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
    func remove(_ job: JobInFlight, _ note: () -> Void) {
        let (wasThere, next) = register.withLock { $0.remove(job) }
        if wasThere { note() }
        next?.startWaiting()
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

    /// The jobs in flight, oldest first, each with the executor in whose place it was created.
    var placed: [PlacedJob] {
        register.withLock { $0.all }.map { PlacedJob(id: $0.id, isWaiting: $0.isWaiting, place: $0.job.place) }
    }

    /// Cancels all jobs with an id.
    func cancel(_ id: JobID) {
        guard let group = look(for: id, at: id.hashValue).group else {
            // Unlike a cancellation, this leaves no record.
            (TaskPlace.executor as? any JobWitness)?.noteMiss()
            return
        }
        for job in register.withLock({ $0.removeAll(of: group) }) { job.end(.cancelled) }
    }
}

extension LoopContext {
    @usableFromInline var jobs: Jobs { service(Jobs.self) }

    /// Writes the record of a step of a job into the journal, if one is kept.
    @usableFromInline
    func note(_ id: JobID, _ step: JobRecord.Step, cause: Int?) {
        journal?.take(.job(JobRecord(id: id, step: step)), cause: cause)
    }
}

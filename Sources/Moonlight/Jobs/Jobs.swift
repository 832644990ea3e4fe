import Streams
import Synchronization

/// The jobs of one loop that are in flight.
final class Jobs: @unchecked Sendable {
    // Sound: the groups are behind their lock, the mailbox guards itself.

    /// What becomes of a job that wants to start.
    enum Admission {
        /// It starts, once these have been cancelled.
        case start(replacing: [any JobInFlight])
        /// It starts when the one before it has ended.
        case wait
        case ignore
        case refuse(JobError)
    }

    private struct Group: @unchecked Sendable {
        // Sound: behind the lock; members guard themselves.
        let policy: JobPolicy
        /// In the order in which they came; with `.queue` only the first runs.
        var members: [any JobInFlight] = []
    }

    private let groups = Lock<[JobID: Group]>([:])
    private let starts = Mailbox<any JobInFlight>()

    func admit(_ job: any JobInFlight, _ id: JobID, _ policy: JobPolicy) -> Admission {
        groups.withLock { groups in
            guard var group = groups[id] else {
                groups[id] = Group(policy: policy, members: [job])
                return .start(replacing: [])
            }
            guard group.policy == policy else {
                return .refuse(.policyConflict(id: id, running: group.policy, asked: policy))
            }
            switch policy {
            case .latest:
                groups[id] = Group(policy: policy, members: [job])
                return .start(replacing: group.members)
            case .ignoreNew:
                return .ignore
            case .queue, .merge:
                // Taken out while it grows, so that the array is not copied.
                groups[id] = nil
                group.members.append(job)
                groups[id] = group
                return policy == .merge ? .start(replacing: []) : .wait
            }
        }
    }

    /// Takes out a job that has ended, and starts the one that waited for it.
    func remove(_ job: any JobInFlight, _ id: JobID) {
        let next = groups.withLock { groups -> (any JobInFlight)? in
            guard var group = groups[id], let place = group.members.firstIndex(where: { $0 === job }) else {
                return nil
            }
            groups[id] = nil
            group.members.remove(at: place)
            if group.members.isEmpty { return nil }
            let next = group.policy == .queue && place == 0 ? group.members.first : nil
            groups[id] = group
            return next
        }
        if let next { start(next) }
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

    /// Takes out all jobs of an id, for the caller to cancel.
    func removeAll(_ id: JobID) -> [any JobInFlight] {
        groups.withLock { $0.removeValue(forKey: id)?.members ?? [] }
    }

    /// What is in flight, oldest first.
    var list: [JobInfo] {
        let members = groups.withLock { groups in groups.map { ($0.key, $0.value.policy, $0.value.members) } }
        return members.flatMap { id, policy, jobs in
            jobs.enumerated().map { $1.info(id, policy, isWaiting: policy == .queue && $0 > 0) }
        }.sorted { $0.since < $1.since }
    }

    /// Cancels all jobs of an id.
    func cancel(_ id: JobID) {
        for job in removeAll(id) { job.end(.cancelled) }
    }
}

/// A job as its loop sees it.
protocol JobInFlight: AnyObject, Sendable {
    func start()
    /// Ends it before it has finished by itself: its stream finishes, its waiting effects are dropped.
    func end(_ how: JobRecord.Step)
    func info(_ id: JobID, _ policy: JobPolicy, isWaiting: Bool) -> JobInfo
}

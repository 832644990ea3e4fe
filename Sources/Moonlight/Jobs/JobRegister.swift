import Streams

/// The jobs in flight by id, and the decisions about jobs that are to start. A plain value, which `Jobs` keeps behind a lock.
///
/// The `hash(into:)`, `==` and destruction of an id are user code, during which no lock may be held. So an id is hashed first. Then
/// the groups with that hash value are read under the lock, and compared outside it. Finally, under the lock again, the job is
/// admitted if the same groups are still there; otherwise all of it is repeated. Jobs that are removed are returned, to be released
/// outside the lock.
///
/// To admit a job takes constant time, and to remove one O(log *n*) in the jobs with its id; see `jobAwaiting` for an exception.
@usableFromInline
struct JobRegister: @unchecked Sendable {
    // Sound: only used behind the lock of `Jobs`.

    /// The decision about a job that is to start.
    @usableFromInline
    enum Admission {
        /// It starts after these jobs have been ended.
        case start(replacing: [JobInFlight])
        /// It waits. The caller that removes the running job from the register starts the next one: see `Jobs.remove(_:)`.
        case wait
        case ignore
        case refuse(JobError)
    }

    /// The groups, by the hash values of their ids.
    private var groups: [Int: [JobGroup]] = [:]
    private var ticketsSoFar = 0

    /// The groups whose ids have a hash value.
    subscript(hash: Int) -> [JobGroup] { groups[hash] ?? [] }

    /// Admits a job to the group of its id.
    ///
    /// - Parameters:
    ///   - group: The group; nil if there is none.
    ///   - seen: All groups whose ids have the same hash value.
    /// - Returns: The decision about the job; nil if those groups have changed since, so that the caller must look for the group
    ///   again.
    mutating func admit(
        _ job: JobInFlight, _ id: JobID, _ hash: Int, _ policy: JobPolicy, to group: JobGroup?, of seen: [JobGroup]
    ) -> Admission? {
        guard self[hash].elementsEqual(seen, by: ===) else { return nil }
        if let group {
            if group.policy != policy { return .refuse(.policyConflict(id: id, running: group.policy, requested: policy)) }
            if policy == .ignoreNew { return .ignore }
            if let limit = policy.limit, group.members.count >= limit { return .refuse(.full(id: id, policy: policy)) }
            if policy.isSerial, let awaiting = jobAwaiting(job, behind: group) {
                return .refuse(.waitsForItself(id: id, awaitedBy: awaiting))
            }
        }
        let own = group ?? JobGroup(id, hash, policy)
        if group == nil { groups[hash] = seen + [own] }
        let replaced = policy.kind == .latest ? own.removeAll() : []
        ticketsSoFar += 1
        job.ticket = (own, own.members.add(job, as: ticketsSoFar))
        return policy.isSerial && group != nil ? .wait : .start(replacing: replaced)
    }

    /// Returns the job for which another one would wait forever in its queue: the job that runs there awaits its event, directly
    /// or through jobs that wait in other queues.
    ///
    /// - Returns: The id of the job that awaits its event; nil if there is none.
    /// - Complexity: O(1), unless the body of a stream or job awaits its event; then O(*n*) in all jobs for each queue on the
    ///   way.
    private func jobAwaiting(_ job: JobInFlight, behind group: JobGroup) -> JobID? {
        let awaiters = job.awaiters
        guard !awaiters.isEmpty else { return nil }
        var (queues, next) = ([group], 0)
        while next < queues.count {
            let queue = queues[next]
            next += 1
            guard let running = queue.members.first?.element else { continue }
            if awaiters.contains(where: { $0.isInside(running) }) { return queue.id }
            // The running job may itself await a job that waits in another queue.
            for other in allGroups where other.policy.isSerial && !queues.contains(where: { $0 === other }) {
                let isAwaited = other.members.dropFirst().contains { waiting in
                    waiting.awaiters.contains { $0.isInside(running) }
                }
                if isAwaited { queues.append(other) }
            }
        }
        return nil
    }

    /// Removes a job that has ended.
    ///
    /// - Returns: Whether it was in the register, and the job that waited for it, if any.
    mutating func remove(_ job: JobInFlight) -> (wasThere: Bool, next: JobInFlight?) {
        guard let (group, number) = job.ticket else { return (false, nil) }
        let wasFirst = group.members.first?.number == number
        guard group.members.remove(number) != nil else { return (false, nil) }
        if group.members.isEmpty {
            // The job's ticket retains the group, so it is not deallocated here.
            forget(group)
            return (true, nil)
        }
        return (true, wasFirst && group.policy.isSerial ? group.members.first?.element : nil)
    }

    /// Removes and returns all jobs of a group, oldest first, for the caller to cancel.
    mutating func removeAll(of group: JobGroup) -> [JobInFlight] {
        forget(group)
        return group.removeAll()
    }

    private mutating func forget(_ group: JobGroup) {
        // Not in place, since the accessor of a dictionary's value allocates.
        let others = (groups.removeValue(forKey: group.hash) ?? []).filter { $0 !== group }
        if !others.isEmpty { groups[group.hash] = others }
    }

    /// All groups, in no particular order.
    private var allGroups: [JobGroup] { groups.values.flatMap(\.self) }

    typealias Entry = (job: JobInFlight, id: JobID, isWaiting: Bool)

    /// Everything in flight, oldest first.
    var all: [Entry] {
        allGroups.flatMap { group in
            group.members.enumerated().map { place, job -> Entry in
                (job, group.id, group.policy.isSerial && place > 0)
            }
        }.ordered { $0.job.ticket?.number ?? 0 }
    }
}

/// The jobs in flight with one id. It is in the register as long as there are any.
final class JobGroup: @unchecked Sendable {
    // Sound: the variables are only touched by the register, behind the lock of `Jobs`.
    let id: JobID
    let hash: Int
    let policy: JobPolicy
    /// The jobs. If the policy is a queue, the first runs, and the others wait.
    fileprivate var members = Numbered<JobInFlight>()

    fileprivate init(_ id: JobID, _ hash: Int, _ policy: JobPolicy) {
        self.id = id
        self.hash = hash
        self.policy = policy
    }

    /// Removes all jobs.
    ///
    /// - Returns: All of them, oldest first.
    fileprivate func removeAll() -> [JobInFlight] {
        defer { members = Numbered() }
        return Array(members)
    }
}

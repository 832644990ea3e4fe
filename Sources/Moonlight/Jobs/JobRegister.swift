import Streams

/// Who is in flight under which id, and what becomes of a job that wants to start: a plain value, without locks and calls; see
/// ``Shelf`` on how it does without those of the ids.
///
/// Every step takes constant time, however many jobs share an id.
@usableFromInline
struct JobRegister: @unchecked Sendable {
    // Sound: only reached behind the lock of `Jobs`.

    /// What becomes of a job that wants to start.
    @usableFromInline
    enum Admission {
        /// It starts, once these have been cancelled.
        case start(replacing: [any JobInFlight])
        /// It starts when the one before it has ended.
        case wait
        case ignore
        case refuse(JobError)
    }

    private var groups = Shelf<JobGroup>()
    private var ticketsSoFar = 0

    /// The groups whose ids have a hash value.
    subscript(hash: Int) -> [JobGroup] { groups[hash] }

    /// Admits a job to the group of its id.
    ///
    /// - Parameters:
    ///   - group: The group; nil if there is none.
    ///   - seen: All whose ids have the same hash value.
    /// - Returns: Nil if others have come or gone since: then it is to be looked for again.
    mutating func admit(
        _ job: any JobInFlight, _ id: JobID, _ hash: Int, _ policy: JobPolicy, to group: JobGroup?, of seen: [JobGroup]
    ) -> Admission? {
        guard groups.holds(seen, at: hash) else { return nil }
        if let group, group.policy != policy {
            return .refuse(.policyConflict(id: id, running: group.policy, asked: policy))
        }
        if policy == .ignoreNew, group != nil { return .ignore }
        if let limit = policy.limit, let group, group.members.count >= limit { return .refuse(.full(id: id, policy: policy)) }
        if let group, policy.isQueue, let awaiting = jobAwaiting(job, behind: group) {
            return .refuse(.waitsForItself(id: id, awaitedBy: awaiting))
        }
        ticketsSoFar += 1
        let ticket = ticketsSoFar
        guard let group else {
            let group = JobGroup(id, hash, policy)
            groups.add(group, at: hash)
            group.start(job, ticket)
            return .start(replacing: [])
        }
        switch policy {
        case .latest:
            let replaced = group.removeAll()
            group.start(job, ticket)
            return .start(replacing: replaced)
        case .queue, .limited(.queue, _):
            group.wait(job, ticket)
            return .wait
        case .merge, .limited(.merge, _), .ignoreNew:
            group.start(job, ticket)
            return .start(replacing: [])
        }
    }

    /// Finds out whether a job would wait for ever: the one that runs before it awaits it, or waits for another that does.
    ///
    /// - Returns: The id of the job that awaits it.
    /// - Complexity: None, unless the body of another job awaits its event; else it looks at all jobs for each queue on the way.
    private func jobAwaiting(_ job: any JobInFlight, behind group: JobGroup) -> JobID? {
        guard !job.awaiters.isEmpty else { return nil }
        var (queues, next) = ([group], 0)
        while next < queues.count {
            let queue = queues[next]
            next += 1
            guard let running = queue.members[queue.running]?.origin else { continue }
            if job.awaiters.contains(where: { $0.isInside(running) }) { return queue.id }
            // What runs there may itself await a job that waits in another queue.
            for other in groups.all where other.policy.isQueue && !queues.contains(where: { $0 === other }) {
                let isAwaited = other.members.contains { number, waiting in
                    number != other.running && waiting.awaiters.contains { $0.isInside(running) }
                }
                if isAwaited { queues.append(other) }
            }
        }
        return nil
    }

    /// Takes a job out that has ended.
    ///
    /// - Returns: The job that waited for it.
    mutating func remove(_ job: any JobInFlight) -> (any JobInFlight)? {
        guard let (group, number) = job.ticket, group.members.removeValue(forKey: number) != nil else { return nil }
        if group.members.isEmpty {
            // The job holds it.
            _ = groups.remove(group, at: group.hash)
            return nil
        }
        return group.running == number ? group.next() : nil
    }

    /// Takes all jobs of a group out, oldest first, for the caller to cancel.
    mutating func removeAll(of group: JobGroup) -> [any JobInFlight] {
        guard groups.remove(group, at: group.hash) != nil else { return [] }
        return group.removeAll()
    }

    typealias Entry = (number: Int, job: any JobInFlight, id: JobID, policy: JobPolicy, isWaiting: Bool)

    /// Everything in flight, oldest first.
    var all: [Entry] {
        groups.all.flatMap { group in
            group.members.map { number, job -> Entry in
                (number, job, group.id, group.policy, group.policy.isQueue && number != group.running)
            }
        }.sorted { $0.number < $1.number }
    }
}

/// The jobs of one id that are in flight. It is in the register as long as there are any.
@usableFromInline
final class JobGroup: @unchecked Sendable {
    // Sound: what changes is only touched by the register, behind the lock of `Jobs`.
    let id: JobID
    let hash: Int
    let policy: JobPolicy
    fileprivate var members: [Int: any JobInFlight] = [:]
    /// With `.queue`, who runs, and who waits: those that have left are skipped.
    fileprivate var running = 0
    private var line = Queue<Int>()

    fileprivate init(_ id: JobID, _ hash: Int, _ policy: JobPolicy) { (self.id, self.hash, self.policy) = (id, hash, policy) }

    fileprivate func start(_ job: any JobInFlight, _ number: Int) {
        add(job, number)
        running = number
    }

    fileprivate func wait(_ job: any JobInFlight, _ number: Int) {
        add(job, number)
        line.append(number)
    }

    private func add(_ job: any JobInFlight, _ number: Int) {
        job.ticket = (self, number)
        members[number] = job
    }

    /// Whoever comes first of those that wait still.
    fileprivate func next() -> (any JobInFlight)? {
        while let number = line.popFirst() {
            guard let job = members[number] else { continue }
            running = number
            return job
        }
        return nil
    }

    /// - Returns: All of them, oldest first.
    fileprivate func removeAll() -> [any JobInFlight] {
        defer { (members, line) = ([:], Queue()) }
        return members.sorted { $0.key < $1.key }.map(\.value)
    }
}

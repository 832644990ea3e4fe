import Streams

/// Who is in flight under which id, and what becomes of a job that wants to start: a plain value, without locks and calls.
///
/// Every step takes constant time, however many jobs share an id.
struct JobRegister: @unchecked Sendable {
    // Sound: only reached behind the lock of `Jobs`.

    /// What becomes of a job that wants to start.
    enum Admission {
        /// It starts, once these have been cancelled.
        case start(replacing: [any JobInFlight])
        /// It starts when the one before it has ended.
        case wait
        case ignore
        case refuse(JobError)
    }

    private struct Group {
        let policy: JobPolicy
        var members: [Int: any JobInFlight] = [:]
        /// With `.queue`, who runs, and who waits: those that have left are skipped.
        var running = 0
        var line = Queue<Int>()

        /// Whoever comes first of those that wait still.
        mutating func next() -> (any JobInFlight)? {
            while let ticket = line.popFirst() {
                guard let job = members[ticket] else { continue }
                running = ticket
                return job
            }
            return nil
        }
    }

    private var groups: [JobID: Group] = [:]
    private var ticketsSoFar = 0

    mutating func admit(_ job: any JobInFlight, _ id: JobID, _ policy: JobPolicy) -> Admission {
        if let running = groups[id]?.policy, running != policy {
            return .refuse(.policyConflict(id: id, running: running, asked: policy))
        }
        if policy == .ignoreNew, groups[id] != nil { return .ignore }
        ticketsSoFar += 1
        let ticket = ticketsSoFar
        job.ticket = ticket
        if policy != .latest, groups[id] != nil {
            groups[id]?.members[ticket] = job
            if policy == .merge { return .start(replacing: []) }
            groups[id]?.line.append(ticket)
            return .wait
        }
        let replaced = groups.updateValue(Group(policy: policy, members: [ticket: job], running: ticket), forKey: id)
        return .start(replacing: replaced?.members.values.map { $0 } ?? [])
    }

    /// Takes a job out that has ended.
    ///
    /// - Returns: The job that waited for it.
    mutating func remove(_ job: any JobInFlight, _ id: JobID) -> (any JobInFlight)? {
        let ticket = job.ticket
        guard groups[id]?.members.removeValue(forKey: ticket) != nil else { return nil }
        if groups[id]?.members.isEmpty == true {
            groups[id] = nil
            return nil
        }
        return groups[id]?.running == ticket ? groups[id]?.next() : nil
    }

    /// Takes all jobs of an id out, oldest first, for the caller to cancel.
    mutating func removeAll(_ id: JobID) -> [any JobInFlight] {
        guard let group = groups.removeValue(forKey: id) else { return [] }
        return group.members.sorted { $0.key < $1.key }.map(\.value)
    }

    typealias Entry = (job: any JobInFlight, id: JobID, policy: JobPolicy, isWaiting: Bool)

    /// Everything in flight, oldest first.
    var all: [Entry] {
        groups.flatMap { id, group in
            group.members.map { ticket, job -> Entry in
                (job, id, group.policy, group.policy == .queue && ticket != group.running)
            }
        }.sorted { $0.job.ticket < $1.job.ticket }
    }
}

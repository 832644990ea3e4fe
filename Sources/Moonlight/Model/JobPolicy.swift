/// What happens when a job starts whose id is in use.
public enum JobPolicy: Sendable, Hashable, CustomStringConvertible {
    /// The newer one wins: the others are cancelled, and those of their effects that still wait are dropped.
    case latest
    /// The older one wins: the new one does not start, its stream finishes at once.
    case ignoreNew
    /// One after the other, in the order in which they came.
    case queue
    /// All of them run.
    case merge
    /// One of these two, with a limit: see ``queue(limit:)`` and ``merge(limit:)``.
    case limited(Limited, Int)

    /// The policies that can have a limit.
    public enum Limited: Sendable, Hashable {
        /// One after the other.
        case queue
        /// All of them run.
        case merge
    }

    /// One after the other, while no more than so many wait for the one that runs. A further one is refused, for
    /// ``JobError/full(id:policy:)``.
    ///
    /// - Parameter limit: How many may wait: zero or more.
    public static func queue(limit: Int) -> JobPolicy {
        precondition(limit >= 0, "queue(limit: \(limit)): pass how many may wait, zero or more")
        return .limited(.queue, limit)
    }

    /// All of them run, but no more than so many at once. A further one is refused, for ``JobError/full(id:policy:)``.
    ///
    /// - Parameter limit: How many may run: one or more.
    public static func merge(limit: Int) -> JobPolicy {
        precondition(limit > 0, "merge(limit: \(limit)): pass how many may run, one or more")
        return .limited(.merge, limit)
    }

    /// Whether one waits for the other.
    var isQueue: Bool {
        switch self {
        case .queue, .limited(.queue, _): true
        case .latest, .ignoreNew, .merge, .limited(.merge, _): false
        }
    }

    /// How many may be in flight; nil if there is no limit.
    var limit: Int? {
        switch self {
        // Beside those that wait there is the one that runs.
        case .limited(.queue, let count): count < .max ? count + 1 : count
        case .limited(.merge, let count): count
        case .latest, .ignoreNew, .queue, .merge: nil
        }
    }

    /// The policy's name.
    public var description: String {
        switch self {
        case .latest: "latest"
        case .ignoreNew: "ignoreNew"
        case .queue: "queue"
        case .merge: "merge"
        case .limited(.queue, let limit): "queue(limit: \(limit))"
        case .limited(.merge, let limit): "merge(limit: \(limit))"
        }
    }
}

/// The id of a job: any value that is Hashable and Sendable.
public struct JobID: Hashable, Sendable, CustomStringConvertible {
    /// The id, unique among the jobs of one reducer.
    private let id: AnyID
    /// The child that the job is of; the root's path if it is of none.
    public let path: ScopePath

    /// The id made of a value. Two are equal if their values are, types included, and their paths.
    public init(_ value: some Hashable & Sendable, path: ScopePath = .root) {
        self.init(AnyID(value), path)
    }

    private init(_ id: AnyID, _ path: ScopePath) { (self.id, self.path) = (id, path) }

    /// The id as it is known outside the child in which it was given.
    @usableFromInline
    func located(at path: ScopePath) -> JobID {
        path.isRoot ? self : JobID(id, path.appending(self.path))
    }

    /// The path, if there is one, and the value, described.
    public var description: String { "\(path.isRoot ? "" : "\(path)/")\(id)" }
}

/// A job that is in flight.
public struct JobInfo: Sendable, Hashable {
    /// Its id.
    public let id: JobID
    /// What happens when another of that id starts.
    public let policy: JobPolicy
    /// The event that it was started for, described.
    public let event: String
    /// The number of the journal's record of that event; nil if no journal is kept.
    public let cause: Int?
    /// When it was started or, if it waits, queued.
    public let since: ContinuousClock.Instant
    /// How many effects it has sent.
    public let effectsSent: Int
    /// Whether it waits for others of its id.
    public let isWaiting: Bool
}

/// Why a job did not start.
public enum JobError: Error, Hashable, CustomStringConvertible {
    /// Its id is in use by jobs of another policy.
    case policyConflict(id: JobID, running: JobPolicy, asked: JobPolicy)
    /// As many of its id are in flight as its policy allows.
    case full(id: JobID, policy: JobPolicy)

    /// It would have waited in its queue for a job whose body awaits the event that it is for, perhaps by way of other queues. That is known
    /// of what a body of `run` awaits itself, not of what tasks await that it has started, nor of other stores.
    case waitsForItself(id: JobID, awaitedBy: JobID)

    /// What went wrong and how to mend it.
    public var description: String {
        switch self {
        case .policyConflict(let id, let running, let asked):
            "job \(id) is in flight as .\(running) and was asked to start as .\(asked): give each id one policy"
        case .full(let id, let policy): "as many jobs \(id) are in flight as .\(policy) allows"
        case .waitsForItself(let id, let running):
            "job \(id) would wait for job \(running), which awaits the event that it is for: post that event, or wait until it is decided"
        }
    }
}

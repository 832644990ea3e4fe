import PlainText

/// The decision about a new job if jobs with its id are in flight.
public struct JobPolicy: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable {
        case latest
        case ignoreNew
        case queue
        case merge
    }

    package let kind: Kind
    /// The number that was given as the limit; nil for no limit.
    private var given: Int?

    /// The new job replaces the others: they are cancelled, and their effects that still wait are dropped.
    public static let latest = JobPolicy(kind: .latest)

    /// The new job is ignored: it does not start, and its stream finishes at once.
    public static let ignoreNew = JobPolicy(kind: .ignoreNew)

    /// The jobs run one after the other, in order of arrival.
    public static let queue = JobPolicy(kind: .queue)

    /// All jobs run at the same time.
    public static let merge = JobPolicy(kind: .merge)

    /// Returns a policy by which jobs run one after the other, and only a limited number may wait. Further jobs are refused with
    /// ``JobError/full(id:policy:)``.
    ///
    /// - Parameter limit: The number of jobs that may wait for the running one, zero or more.
    public static func queue(limit: Int) -> JobPolicy {
        precondition(limit >= 0, "queue(limit: \(limit)): the limit must be zero or more")
        return JobPolicy(kind: .queue, given: limit)
    }

    /// Returns a policy by which a limited number of jobs run at the same time. Further jobs are refused with
    /// ``JobError/full(id:policy:)``.
    ///
    /// - Parameter limit: The number of jobs that may run, one or more.
    public static func merge(limit: Int) -> JobPolicy {
        precondition(limit > 0, "merge(limit: \(limit)): the limit must be one or more")
        return JobPolicy(kind: .merge, given: limit)
    }

    /// True if jobs run one after the other: all but the first wait.
    package var isSerial: Bool { kind == .queue }

    /// The number of jobs that may be in flight; nil if there is no limit.
    package var limit: Int? {
        // In a queue, the waiting jobs and the running one.
        guard let given, isSerial, given < .max else { return given }
        return given + 1
    }

    /// The policy's name.
    public var description: String { given.map { "\(kind)(limit: \($0))" } ?? "\(kind)" }
}

/// The id of a job: any Hashable and Sendable value, with the path of a child.
public struct JobID: Hashable, Sendable, CustomStringConvertible {
    /// The id, unique among the jobs of one reducer.
    private let id: AnyID
    /// The path of the child that the job belongs to; the root's path if it does not belong to a child.
    public let path: ScopePath

    /// Creates an id from a value. Two ids are equal if their paths are equal and their values are equal as `AnyHashable`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: The path of the child that the job belongs to.
    public init(_ value: some Hashable & Sendable, path: ScopePath = .root) {
        self.init(AnyID(value), path)
    }

    private init(_ id: AnyID, _ path: ScopePath) {
        self.id = id
        self.path = path
    }

    /// Returns the id as it is outside of the child at `path`: with that path prepended to its own.
    @usableFromInline package func located(at path: ScopePath) -> JobID {
        path.isRoot ? self : JobID(id, path.appending(self.path))
    }

    /// The path, unless it is the root's, and the description of the value.
    public var description: String { "\(path.isRoot ? "" : "\(path)/")\(id)" }
}

/// The reason why a job did not start.
public enum JobError: Error, Hashable, CustomStringConvertible {
    /// Jobs with the same id and another policy are in flight.
    case policyConflict(id: JobID, running: JobPolicy, requested: JobPolicy)
    /// The number of jobs with this id in flight has reached the limit of the policy.
    case full(id: JobID, policy: JobPolicy)

    /// The job would wait in its queue for a job whose body awaits the event of the new one, directly or through other queues,
    /// so that both would wait forever. Only events that the body of a `run` awaits itself are detected, not those that tasks
    /// started by it await, those of a body upstream of `share` or `multicast`, nor those of other stores.
    case waitsForItself(id: JobID, awaitedBy: JobID)

    /// A description of the error and its remedy.
    public var description: String { text.escapingControls }

    private var text: String {
        switch self {
        case .policyConflict(let id, let running, let requested):
            "job \(id) is in flight as .\(running), but was requested as .\(requested): give each id one policy"
        case .full(let id, let policy): "the limit of .\(policy) for job \(id) is reached"
        case .waitsForItself(let id, let running):
            "job \(id) would wait for job \(running), which awaits its event: post the event, or await it only until it is decided"
        }
    }
}

/// A record of a step of a job.
public struct JobRecord: Sendable {
    /// The job's id.
    public let id: JobID
    /// The step that the record describes.
    public let step: Step

    package init(id: JobID, step: Step) {
        self.id = id
        self.step = step
    }

    /// A step of a job.
    public enum Step: Sendable, Hashable {
        /// The job was started.
        case started
        /// The job's stream finished by itself.
        case finished
        /// The job was cancelled, by its id or together with its stream or loop.
        case cancelled
        /// A newer job with its id replaced this one: see ``JobPolicy/latest``.
        case replaced
        /// The job did not start, because one with its id was in flight: see ``JobPolicy/ignoreNew``.
        case ignored
        /// The job did not start, for the reason given.
        case refused(JobError)
    }
}

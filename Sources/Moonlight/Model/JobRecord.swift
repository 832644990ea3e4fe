/// A record of what happened to a job.
public struct JobRecord: Sendable {
    /// The job's id.
    public let id: JobID
    /// What happened.
    public let step: Step

    @usableFromInline
    init(id: JobID, step: Step) {
        self.id = id
        self.step = step
    }

    /// What can happen to a job.
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

/// What happened to a job.
public struct JobRecord: Sendable {
    /// The job's id.
    public let id: JobID
    /// What happened.
    public let step: Step

    @usableFromInline
    init(id: JobID, step: Step) { (self.id, self.step) = (id, step) }

    /// What can happen to a job.
    public enum Step: Sendable, Hashable {
        /// It was started.
        case started
        /// Its stream finished by itself.
        case finished
        /// It was cancelled by id, or with the stream or the loop that it was part of.
        case cancelled
        /// A newer job of policy ``JobPolicy/latest`` took its place.
        case replaced
        /// It did not start, as one of its id was in flight.
        case ignored
        /// It did not start, as it broke a rule.
        case refused(JobError)
    }
}

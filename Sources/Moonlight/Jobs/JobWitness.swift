import Streams

/// An executor that learns what others do to the jobs that are created in its place, and of cancellations there that find no job. A
/// test that compares streams of effects needs to know all of their inputs.
package protocol JobWitness {
    /// Called before the change of a job has any consequence.
    func note(_ change: JobChange, of id: JobID)
    /// Called when code in its place cancels jobs by an id, and there are none.
    func noteMiss()
}

/// A change of a job that does not come from its own stream.
package enum JobChange: Hashable, Sendable {
    /// The job, which has waited for others, begins.
    case began
    /// The job is replaced, or cancelled by its id.
    case ended
}

/// A job in flight, and the executor in whose place it was created.
package struct PlacedJob {
    package let id: JobID
    package let isWaiting: Bool
    package let place: (any TaskExecutor)?
}

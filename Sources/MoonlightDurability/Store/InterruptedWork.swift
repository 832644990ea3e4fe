/// Interrupted work: a stream of effects that was running when the process or the loop ended.
///
/// Its actions outside the store may have been executed, completely or in part. The effects that were applied are in the state.
public struct InterruptedWork<Event> {
    /// The event for which `transform` returned the stream.
    public let event: Event
    /// The name of the job; nil if `job(_:_:)` was not the last operator of the stream.
    public let job: String?
    /// The idempotency key, which was ``DurableWork/key`` and is the same for all attempts.
    public let key: String
    /// The number of attempts so far, at least 1.
    public let attempts: Int

    init(_ work: OpenWork<Event>) {
        (event, key, attempts) = (work.event, work.key, Int(work.attempt))
        job = work.job.isEmpty ? nil : work.job
    }
}

extension InterruptedWork: Sendable where Event: Sendable {}

/// A decision about interrupted work.
public enum InterruptedWorkAnswer<Event, Effect> {
    /// Sends the event. A stream that `transform` returns for it and that is not ready is the next attempt, with the same key; without
    /// one, the work has ended.
    ///
    /// The event of the work itself, recognized by its description, is sent once for all its interrupted work. If it had several streams,
    /// each gets the key of the earlier stream with the same job. Streams without a job, and those with the same one, are matched in
    /// order. A stream that had ended begins again, too, with its old key, if `transform` returns it: if that depends on the state, make
    /// the streams jobs with different ids.
    case send(Event)
    /// Ends the work.
    case drop
    /// Applies the effect and ends the work, atomically.
    case fail(Effect)
}

extension InterruptedWorkAnswer: Sendable where Event: Sendable, Effect: Sendable {}

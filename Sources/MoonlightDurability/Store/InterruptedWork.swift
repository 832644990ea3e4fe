/// Work that was cut off: a stream of effects that had been begun when the process or the loop ended.
///
/// Nobody knows how far it had got. What it did outside may have been done, wholly or in part; which of its effects were applied is
/// in the state.
public struct InterruptedWork<Event> {
    /// The event for which `transform` returned the stream.
    public let event: Event
    /// The name of the job; nil if `job(_:_:)` was not the last operator of the stream.
    public let job: String?
    /// The key, which was ``DurableWork/key`` for the work and stays the same over all attempts.
    public let key: String
    /// How often it has been tried, at least once.
    public let attempts: Int

    init(_ work: OpenWork<Event>) {
        (event, key, attempts) = (work.event, work.key, Int(work.attempt))
        job = work.job.isEmpty ? nil : work.job
    }
}

extension InterruptedWork: Sendable where Event: Sendable {}

/// What is to become of interrupted work.
public enum InterruptedWorkAnswer<Event, Effect> {
    /// The event is sent. If `transform` returns a stream for it that is not ready, that is the next attempt, with the same key;
    /// otherwise the work is over.
    case send(Event)
    /// The work is over.
    case drop
    /// The effect is applied, and the work is over: both or none, also if the process ends meanwhile.
    case fail(Effect)
}

extension InterruptedWorkAnswer: Sendable where Event: Sendable, Effect: Sendable {}

/// An entry of a record: one result of a turn of the loop.
enum LogEntry<Event, Effect> {
    /// An effect was applied.
    case effect(Effect)
    /// A stream of effects is about to be subscribed to.
    case begun(OpenWork<Event>)
    /// A stream of effects has ended, or will not be retried.
    case ended(UInt64)
    /// An event that followed from an earlier effect was handled.
    case followUp
    /// A sender with a key was answered.
    case answered(KeyedAnswer)
}

/// A stream of effects that has been begun and has not ended.
struct OpenWork<Event> {
    /// The number, unique within the log.
    let number: UInt64
    /// The number of the first stream of the same event, which is this one if the event has no other.
    let first: UInt64
    /// The number of the interrupted attempt before; 0 for the first attempt.
    let replaces: UInt64
    /// The key, which stays the same over all attempts.
    let key: String
    /// The number of the attempt, from 1.
    let attempt: UInt32
    /// The name of the job; empty if the stream is not a job.
    let job: String
    let event: Event
    /// True if it has ended, and is kept for its key.
    var isEnded = false
}

extension OpenWork: Sendable where Event: Sendable {}

/// The answer to a sender with a key.
struct KeyedAnswer: Sendable, Hashable {
    let key: String
    /// The time of the answer, in nanoseconds since 1970.
    let time: Int64
    /// The reason why `transform` rejected the event; nil if it did not.
    let rejection: String?
    /// The encoded reading of the state.
    let reading: [UInt8]
}

extension LogEntry: Sendable where Event: Sendable, Effect: Sendable {}
